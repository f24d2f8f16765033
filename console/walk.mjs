// A real browser over a real server; what it complains of, and whom it calls besides the server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

export const { URL: url, SHOTS: shots } = process.env;
const AXE = readFileSync(new globalThis.URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const complaints = [];
const strangers = new Set();

export const launched = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-quic"] });

export async function opened(browser, place = "") {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  tab.setDefaultTimeout(45_000);
  tab.on("pageerror", (error) => complaints.push(String(error)));
  tab.on("console", (message) => { if (/Content Security Policy/.test(message.text())) complaints.push(message.text()); });
  tab.on("request", (request) => { const host = new globalThis.URL(request.url()).host; if (!url.endsWith(host) && !request.url().startsWith("blob:")) strangers.add(host); });
  await tab.goto(`${url}/console/${place}`);
  return tab;
}

export const said = (tab, text) => tab.getByRole("log").getByText(text).last();
export const button = (tab, name) => tab.getByRole("button", { name, exact: true });
export const ended = (tab) => tab.getByText("Working …").waitFor({ state: "detached" });

export async function say(tab, text) {
  await tab.getByLabel("Your message").fill(text);
  await tab.keyboard.press("Enter");
}

/** Neither a serious finding of axe nor a line that is too wide, on a wide screen and on a phone. */
export async function withoutFindings(page, name) {
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => axe.run());
    const bad = violations.filter((each) => ["serious", "critical"].includes(each.impact));
    assert.deepEqual(bad.map((each) => `${each.id}: ${each.nodes[0].html}`), [], `${name} at ${width} px`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${name} is ${overflow} px too wide at ${width} px`);
    if (shots) await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

export function noneComplained() {
  assert.deepEqual(complaints, []);
  assert.deepEqual([...strangers], []);
}
