// The page over a server with access control: URL, TOKENS (by role), SHOTS and CHROMIUM come from the environment.
import { after, before, test } from "node:test";
import { button, ended, launched, noneComplained, opened, said, say, url, withoutFindings } from "./walk.mjs";

const tokens = JSON.parse(process.env.TOKENS);
let browser;
let page;

before(async () => {
  browser = await launched();
  page = await opened(browser);
});

after(async () => {
  await browser?.close();
});

async function signedIn(token) {
  if (await button(page, "Sign out").isVisible()) await button(page, "Sign out").click();
  await page.getByLabel("Token").fill(token);
  await button(page, "Sign in").click();
}

async function fresh(agent) {
  await page.goto(`${url}/console/#conversations/`);
  await page.getByLabel("Agent").selectOption(agent);
  await button(page, "New").click();
}

test("without a token it asks for one, and a wrong one is refused", async () => {
  await page.getByText("This server asks who you are.").waitFor();
  await withoutFindings(page, "token");
  await signedIn("wg_nobody's");
  await page.getByText("This token is not valid here.").waitFor();
});

test("a guest asks and books, and sees neither rosters nor the roster agent", async () => {
  await signedIn(tokens.guest);
  await button(page, "Sign out").waitFor();
  await fresh("hotel");
  await say(page, "book a double room for two adults from 10 to 12 January 2027, Dana Levi, dana@example.com");
  await page.locator(".terms").getByText("Dana Levi").waitFor();
  await page.getByRole("link", { name: "Rosters" }).click();
  await page.getByText("rosters are for staff").waitFor();
  await withoutFindings(page, "refused");
  await fresh("roster");
  await say(page, "make the roster for the ward fair");
  await page.getByRole("alert").getByText("you may not run").waitFor();
});

test("a manager makes a roster, and sees nobody else's conversations", async () => {
  await signedIn(tokens.manager);
  await fresh("roster");
  await page.getByText("No conversation yet.").waitFor();
  await say(page, "make the roster for the ward fair");
  await said(page, "Night").waitFor();
  await ended(page);
  await page.getByRole("link", { name: "Desk" }).click();
  await page.getByText("Nothing waits.").waitFor();
});

test("staff answers the guest at the desk, and opens the manager's roster", async () => {
  await signedIn(tokens.staff);
  await page.getByRole("link", { name: "Desk" }).click();
  const entry = page.locator(".desk li").filter({ hasText: "Dana Levi" });
  await entry.getByRole("button", { name: "Yes", exact: true }).click();
  await entry.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Rosters" }).click();
  await page.getByRole("button", { name: /^Open / }).first().click();
  await button(page, "Publish …").click();
  await button(page, "Publish it").click();
  await page.getByText(/^V1 .* of Night is published\.$/).waitFor();
  await page.getByText("Versions of this ward: 1").click();
  await page.getByText("published by staff on").waitFor();
});

test("whoever signs out has to say again who they are", async () => {
  await page.reload();
  await button(page, "Sign out").click();
  await page.getByText("This server asks who you are.").waitFor();
});

test("nothing was refused by the page's policy, nothing came from elsewhere, no error was left", noneComplained);
