// The page in a real browser over a real server: URL, CONTROL (an address that stops and starts the server), SHOTS (a folder
// for pictures) and CHROMIUM come from the environment.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@langchain/langgraph-sdk";
import * as walk from "./walk.mjs";
import { button, launched, noneComplained, said, url } from "./walk.mjs";

const control = process.env.CONTROL;
const client = new Client({ apiUrl: url });
let browser;
let page;

before(async () => {
  browser = await launched();
  page = await opened();
});

after(async () => {
  await browser?.close();
});

const opened = (place) => walk.opened(browser, place);
const say = (text, tab = page) => walk.say(tab, text);
const ended = (tab = page) => walk.ended(tab);
const withoutFindings = (name) => walk.withoutFindings(page, name);

async function fresh(agent = "hotel") {
  await page.goto(`${url}/console/#conversations/`);
  await page.getByLabel("Agent").selectOption(agent);
  await button(page, "New").click();
}

/** The id of a roster that was made without the page. */
async function made(ward) {
  const request = { messages: [{ role: "user", content: `make the roster for the ward ${ward}` }] };
  const { results } = await client.runs.wait(null, "roster", { input: request });
  return Object.values(results).map((each) => each.data?.roster_id).findLast(Boolean);
}

test("a question is answered, and what was done is told", async () => {
  await fresh();
  await say("a room for two adults from 24 to 28 December");
  await said(page, "What is free instead").waitFor();
  await ended();
  await page.getByText(/What it did: \d calls/).click();
  await page.locator(".bar-of").first().hover();
  assert.match(await page.getByRole("tooltip").first().innerText(), /"check_in": "2026-12-24"[^]*Result/);
  await page.mouse.move(0, 0);
  await page.getByText("What went wrong, and what was tried instead").click();
  await page.getByText("→ tried").first().waitFor();
  await page.getByText("answer checked").click();
  await page.getByText("accuracy: holds").waitFor();
  await page.getByText("No model was used").waitFor();
  await withoutFindings("answered");
});

test("the keyboard alone asks, opens what was done, and closes it", async () => {
  await fresh();
  const tabTo = async (isThere) => { for (let times = 0; times < 60 && !(await page.evaluate(isThere)); times++) await page.keyboard.press("Tab"); };
  await tabTo(() => document.activeElement.getAttribute("aria-label") === "Your message");
  await page.keyboard.type("a room for two adults from 10 to 12 January");
  await page.keyboard.press("Enter");
  await said(page, "NIS").waitFor();
  await ended();
  await page.locator("nav a").first().focus();
  await tabTo(() => document.activeElement.textContent.startsWith("What it did"));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.getByRole("tooltip").first().waitFor({ state: "visible" });
  await page.keyboard.press("Escape");
  await page.getByRole("tooltip").first().waitFor({ state: "hidden" });
});

/** The hotel with other settings, for one flow. */
async function having(settings, flow) {
  const [{ assistant_id, context }] = await client.assistants.search({ graphId: "hotel", limit: 1 });
  await client.assistants.update(assistant_id, { context: { ...context, ...settings } });
  try {
    await flow();
  } finally {
    await client.assistants.update(assistant_id, { context });
  }
}

test("a model's answer grows while it is written, and what it took is told", () => having({ planner: "auto" }, async () => {
  await fresh();
  await page.evaluate(() => {
    const lengths = (globalThis.lengths = []);
    new MutationObserver(() => {
      const length = document.querySelector(".messages .ai p")?.textContent.length ?? 0;
      if (length !== (lengths.at(-1) ?? 0)) lengths.push(length);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await say("When is breakfast?");
  await said(page, "07:00").waitFor();
  await ended();
  const lengths = await page.evaluate(() => globalThis.lengths);
  assert.ok(lengths.length > 1, `it came in steps of ${lengths}`);
  assert.deepEqual(lengths, lengths.toSorted((one, other) => one - other));
  await page.getByText("Models: 2 calls").click();
  await page.getByText("responder scripted: 1 call, 100 tokens in, 10 out").waitFor();
}));

test("a limit that was reached is told", () => having({ max_tool_calls: 1 }, async () => {
  await fresh();
  await say("a room for two adults from 24 to 28 December");
  await page.getByText(/^Limit reached: /).waitFor();
}));

test("a booking shows its terms, survives a reload, can be edited, and is made by a yes", async () => {
  await fresh();
  await say("book a double room for two adults from 10 to 12 January, Dana Levi, dana@example.com");
  await page.getByText("780 NIS in total").first().waitFor();
  await page.reload();
  await button(page, "Edit …").click();
  await page.getByLabel("guest name").fill("Dana Cohen");
  await page.getByRole("button", { name: /show the terms again/ }).click();
  await page.locator(".terms").getByText("Dana Cohen").waitFor();
  await withoutFindings("approval");
  await button(page, "Yes").click();
  await said(page, "Your booking is confirmed").waitFor();
  await page.getByLabel("good").check();
  await page.getByLabel("Why, in a word").fill("quick");
  await button(page, "Keep").click();
  await page.getByText("Thank you, this is kept.").waitFor();
});

test("a no with a reason books nothing", async () => {
  await fresh();
  await say("book a double room for two adults from 17 to 19 January, Noa Bar, noa@example.com");
  await button(page, "No …").click();
  await page.getByLabel("Reason, if you like").fill("too <b>dear</b>");
  await button(page, "Say no").click();
  await said(page, "too <b>dear</b>").waitFor();
});

test("what waits is answered at the desk", async () => {
  await fresh();
  await say("book a double room for two adults from 24 to 26 January, Avi Gal, avi@example.com");
  await button(page, "Yes").waitFor();
  await page.getByRole("link", { name: "Desk" }).click();
  const entry = page.locator(".desk li").filter({ hasText: "Avi Gal" });
  await entry.getByText("waits since").waitFor();
  await withoutFindings("desk");
  await entry.getByRole("button", { name: "Open the conversation" }).click();
  await page.goBack();
  await entry.getByRole("button", { name: "Edit …" }).click();
  await entry.getByLabel("guest email").fill("avi");
  await entry.getByRole("button", { name: "Change it and show the terms again" }).click();
  await entry.getByText("guest_email = 'avi': guest_email is not an e-mail address").waitFor();
  await entry.getByRole("button", { name: "Yes", exact: true }).click();
  await entry.waitFor({ state: "detached" });
  const told = page.locator(".desk .notice").filter({ hasText: "Done." });
  await told.getByText(/confirmed: WG-/).waitFor();
  await told.getByRole("button", { name: "Read" }).click();
  await told.waitFor({ state: "detached" });
});

test("a message is changed and asked again from there", async () => {
  await fresh();
  await say("What time is breakfast?");
  await said(page, "07:00").waitFor();
  await ended();
  await page.getByRole("button", { name: "Change and ask again" }).click();
  await page.getByLabel("The message, changed").fill("Do you have parking?");
  await button(page, "Ask again from here").click();
  await said(page, "Parking").waitFor();
  await ended();
  assert.equal(await page.getByRole("log").getByText("What time is breakfast?").count(), 0);
});

test("Hebrew runs from right to left, and markup stays text", async () => {
  await fresh();
  await say("מתי מגישים ארוחת בוקר? <img src=x>");
  await page.getByRole("log").locator("li.ai p").first().waitFor();
  await ended();
  const directions = await page.getByRole("log").locator("p").evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
  assert.deepEqual(directions, ["rtl", "rtl"]);
  assert.equal(await page.locator("main img").count(), 0);
  await withoutFindings("hebrew");
});

test("a roster run is joined after a reload and in a second tab, stopped, and resumed", async () => {
  await fresh("roster");
  await say("make the roster for harbour");
  await page.getByText(/Round 1, .* cost \d+/).waitFor();
  await page.reload();
  await page.getByText("Working …").waitFor();
  const second = await opened(new globalThis.URL(page.url()).hash);
  await second.getByText("Working …").waitFor();
  await button(second, "Stop").click();
  await page.getByText("This request was stopped before its end").waitFor();
  await second.close();
  await button(page, "Resume").click();
  await said(page, "Harbour Ward").waitFor({ timeout: 120_000 });
  await ended();
});

test("a request that was stopped is changed by another message, and what it knows is reused", async () => {
  await fresh("roster");
  await say("make the roster for harbour");
  await page.getByText(/Round 1, .* cost \d+/).waitFor();
  await button(page, "Stop").click();
  await page.getByText("This request was stopped before its end").waitFor();
  await say("make the roster for harbour, please");
  await said(page, "Harbour Ward").waitFor({ timeout: 120_000 });
  await ended();
  await page.getByText(/What it did: \d+ calls/).click();
  await page.locator(".bar-of.reused").getByText("reused").first().waitFor();
});

test("a roster is made with its cost and bound before one's eyes, and opened", async () => {
  await page.goto(`${url}/console/#rosters/`);
  await page.getByRole("button", { name: /^Make a roster/ }).click();
  await page.getByText("Further settings").click();
  await page.getByLabel("fatigue night").fill("21");
  await withoutFindings("make");
  await page.getByText("Further settings").click();
  await page.getByRole("combobox", { name: "Ward" }).selectOption("harbour");
  await page.getByLabel("Days").fill("8");
  await page.getByLabel("Seconds for all rounds").fill("9");
  await button(page, "Make it").click();
  await page.getByText(/Round 1, .* cost \d+, and no roster can cost less than/).waitFor();
  await page.reload();
  await page.getByText(/Round \d, .* cost \d+/).waitFor();
  await withoutFindings("making");
  await said(page, "Harbour Ward, 8 days").waitFor({ timeout: 120_000 });
  await page.getByRole("button", { name: /^Open roster / }).click();
  await page.locator(".roster-page").getByText("Fairness").first().waitFor();
});

test("a stored roster is shown as its page, its findings lead to their cells, and it can be taken along", async () => {
  await page.goto(`${url}/console/#rosters/`);
  await withoutFindings("rosters");
  await page.getByRole("button", { name: /^Open / }).first().click();
  for (const part of ["Roster", "Coverage", "Fairness", "Findings"]) await page.locator(".roster-page").getByRole("heading", { name: part, exact: true }).last().waitFor();
  await page.locator(".roster-page a[href^='#'], .roster-page [href^='#']").first().click();
  assert.ok(await page.evaluate(() => document.querySelector(".roster-page").shadowRoot.activeElement !== null));
  const waiting = page.waitForEvent("download");
  await button(page, "Excel").click();
  assert.match((await waiting).suggestedFilename(), /^roster-\w+\.xlsx$/);
  await withoutFindings("roster");
});

test("a roster is published, a sick nurse is covered, and two swap, each after it was shown what changes", async () => {
  const roster = await made("fair");
  await page.goto(`${url}/console/#rosters/${roster}`);
  await button(page, "Swap …").click();
  await page.locator(".cells label").first().click();
  await button(page, "Show what changes").click();
  await page.getByRole("alert").getByText("a swap follows a published one").waitFor();

  await button(page, "Publish …").click();
  await page.getByText("Nothing is published for these days yet.").waitFor();
  await page.getByLabel("Reason, if you like").fill("<b>first</b> week");
  await withoutFindings("publish");
  await button(page, "Publish it").click();
  await page.getByText(/^V1 .* of Night is published\.$/).waitFor();
  await page.getByText("Versions of this ward: 1").click();
  await page.getByText("<b>first</b> week").waitFor();
  await button(page, "Publish …").click();
  await page.getByText("It is published already.").waitFor();

  await button(page, "Who can cover …").click();
  await page.getByRole("combobox", { name: "Nurse" }).selectOption("ann");
  await button(page, "Who can?").click();
  await page.getByRole("heading", { name: /: 1 of 1 may$/ }).waitFor();
  await withoutFindings("cover");
  await page.getByLabel("One more on a shift").check();
  await page.getByRole("combobox", { name: "Shift" }).selectOption("E");
  await button(page, "Who can?").click();
  await page.getByRole("heading", { name: /E.*, .*: \d of 2 may$/ }).waitFor();
  await page.getByLabel("A nurse is sick").check();
  await button(page, "Who can?").click();
  await page.getByRole("button", { name: /^Swap with ben/ }).click();
  await button(page, "Show what changes").click();
  await page.getByLabel("What changes").getByText("ann Ann, Monday 2026-11-23: N → off").waitFor();
  await withoutFindings("swap");
  await page.getByLabel("Reason, if you like").fill("Ann is sick");
  await button(page, "Swap them and publish it").click();
  await page.getByText(`in place of ${roster}.`).waitFor();
  await page.getByText("Versions of this ward: 2").waitFor();
});

test("a decision is taken back, and a published roster withdrawn, each after it was shown what changes", async () => {
  const roster = await made("fair");
  await page.goto(`${url}/console/#rosters/${roster}`);
  await button(page, "Undo …").click();
  await page.getByText(`V1 (${roster}, 2026-11-23 to`).getByText("is published for these days then.").waitFor();
  await page.getByLabel("Cells that change").getByText("ann Ann, Mon 2026-11-23: off → N").waitFor();
  await withoutFindings("undo");
  await button(page, "Take it back").click();
  await page.getByText("is published for these days now.").waitFor();

  await button(page, "Discard …").click();
  await page.getByText("Then nothing is published for these days.").waitFor();
  assert.equal(await page.getByLabel("Withdraw it from staff").evaluate((box) => box.validity.valueMissing), true);
  await page.getByLabel("Withdraw it from staff").check();
  await withoutFindings("discard");
  await button(page, "Discard it").click();
  await page.getByText("Nothing is published for these days now.").waitFor();
  await button(page, "Discard …").click();
  await page.getByText("It is discarded already.").waitFor();
  await button(page, "Keep as a draft …").click();
  await page.getByText("What staff have does not change.").waitFor();
  await button(page, "Keep it as a draft").click();
  await page.getByText(/^V1 .* of Night is kept as a draft\.$/).waitFor();
});

test("a roster that fails is published with its problems only if one says so", async () => {
  const roster = await made("only_ann");
  await page.goto(`${url}/console/#rosters/${roster}`);
  await button(page, "Publish …").click();
  await page.getByText("It fails its checks:").waitFor();
  await button(page, "Publish it").click();
  assert.equal(await page.getByLabel("Publish it with these problems").evaluate((box) => box.validity.valueMissing), true);
  await withoutFindings("problems");
  await button(page, "Leave it").click();
});

test("a roster that fails a check is decided at the desk", async () => {
  await fresh("roster");
  await say("make the roster for the ward never");
  await button(page, "keep it as a draft").waitFor();
  await ended();
  await page.getByRole("link", { name: "Desk" }).click();
  const entry = page.locator(".desk li").filter({ hasText: "for Night" }).last();
  await entry.getByText("What failed:").waitFor();
  await entry.getByText("waits since").waitFor();
  await entry.getByRole("link", { name: "Look at the roster" }).waitFor();
  await entry.getByRole("button", { name: "Ask for changes …" }).click();
  await entry.getByRole("button", { name: "Settle a cell" }).click();
  await entry.getByLabel("Nurse").fill("ben");
  await entry.getByLabel("Day", { exact: true }).fill("2026-11-24");
  await entry.getByLabel("fatigue night").fill("21");
  await withoutFindings("decision");
  await entry.getByRole("button", { name: "Make another round" }).click();
  await page.getByText("Sending …").waitFor({ state: "detached" });
  await entry.getByText("What failed:").waitFor();
  assert.equal(await entry.getByLabel("Nurse").count(), 0);
  await entry.getByRole("button", { name: "keep it as a draft" }).click();
  await entry.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Conversations" }).click();
  await page.locator(".threads a").filter({ hasText: "ward never" }).click();
  await said(page, "draft").waitFor();
});

test("conversations are found and deleted", async () => {
  const [thread] = await client.threads.search({ limit: 1, metadata: { graph_id: "hotel" } });
  await page.goto(`${url}/console/#conversations/${thread.thread_id}`);
  await page.getByLabel("Search conversations").fill("book a double");
  const count = await page.locator(".threads li").count();
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: /^Delete: / }).first().click();
  await page.waitForFunction((before) => document.querySelectorAll(".threads li").length < before, count);
  await page.getByLabel("Search conversations").fill("no such words");
  await page.getByText("None has these words.").waitFor();
  await page.getByLabel("Search conversations").fill("");
});

test("dark, too, can be read", async () => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${url}/console/#conversations/`);
  await page.locator(".threads a").first().click();
  await page.getByRole("log").locator("li").first().waitFor();
  await withoutFindings("dark");
});

test("a restart of the server is told, and the conversation goes on", async () => {
  await page.emulateMedia({ colorScheme: "light" });
  await fresh("roster");
  await say("make the roster for harbour");
  await page.getByText(/Round 1, .* cost \d+/).waitFor();
  await fetch(`${control}/stop`, { method: "POST" });
  await page.getByText("The server cannot be reached. Trying again …").waitFor();
  await page.getByLabel("Your message").fill("typed meanwhile");
  await withoutFindings("lost");
  await fetch(`${control}/start`, { method: "POST" });
  await page.getByText("The server is back.").waitFor();
  await withoutFindings("back");
  assert.equal(await page.getByLabel("Your message").inputValue(), "typed meanwhile");
  await button(page, "Resume").or(said(page, "Harbour Ward")).first().waitFor({ timeout: 120_000 });
  if (await button(page, "Resume").isVisible()) await button(page, "Resume").click();
  await said(page, "Harbour Ward").waitFor({ timeout: 120_000 });
});

test("nothing was refused by the page's policy, nothing came from elsewhere, no error was left", noneComplained);
