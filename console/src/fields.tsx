import { useId } from "react";
import { words } from "./state";

/** One value of a form, as its JSON schema describes it. */
export interface Field {
  type?: string;
  format?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  default?: unknown;
  anyOf?: Field[];
  properties?: Record<string, Field>;
  $ref?: string;
  $defs?: Record<string, Field>;
}

/** Without the branch that says it may be left out. */
export const plain = (field: Field): Field => ({ ...field, ...field.anyOf?.find((each) => each.type !== "null") });

/** Numbers as numbers; what is left empty is left out. */
export function typed(given: Record<string, string>, fields: Record<string, Field>): Record<string, unknown> {
  const filled = Object.entries(given).filter(([name, text]) => name in fields && text?.trim());
  return Object.fromEntries(filled.map(([name, text]) => [name, isNumber(fields[name]) ? Number(text) : text.trim()]));
}

const isNumber = (field: Field | undefined) => field?.type === "number" || field?.type === "integer";

interface FieldsProps {
  fields: Record<string, Field>;
  given: Record<string, string>;
  onGiven: (given: Record<string, string>) => void;
}

export function Fields({ fields, given, onGiven }: FieldsProps) {
  return (
    <div className="fields">
      {Object.entries(fields).map(([name, field]) => <OneField key={name} name={name} field={field} value={given[name] ?? ""} onChange={(text) => onGiven({ ...given, [name]: text })} />)}
    </div>
  );
}

function OneField({ name, field, value, onChange }: { name: string; field: Field; value: string; onChange: (text: string) => void }) {
  const id = useId();
  return (
    <div>
      <label>
        {words(name)}
        <input
          type={isNumber(field) ? "number" : field.format === "date" ? "date" : "text"}
          min={field.minimum ?? field.exclusiveMinimum}
          max={field.maximum}
          maxLength={field.maxLength}
          step={field.type === "integer" ? 1 : "any"}
          placeholder={field.default === undefined || field.default === null ? "" : String(field.default)}
          aria-describedby={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      <small id={id} className="hint">{field.description}</small>
    </div>
  );
}
