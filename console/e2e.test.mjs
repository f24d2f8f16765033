// The page in a real browser over a real server: URL, SHOTS (a folder for pictures) and CHROMIUM come from the environment.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Client } from "@langchain/langgraph-sdk";
import { chromium } from "playwright-core";

const { URL: url, SHOTS: shots, CHROMIUM: chromiumPath = "/usr/bin/chromium" } = process.env;
const AXE = readFileSync(new globalThis.URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const client = new Client({ apiUrl: url });
let browser;
let page;
const complaints = [];
const strangers = new Set();

before(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-quic"] });
  page = await opened();
});

after(async () => {
  await browser?.close();
});

async function opened(place = "") {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  tab.setDefaultTimeout(20_000);
  tab.on("pageerror", (error) => complaints.push(String(error)));
  tab.on("console", (message) => { if (/Content Security Policy/.test(message.text())) complaints.push(message.text()); });
  tab.on("request", (request) => { const host = new globalThis.URL(request.url()).host; if (!url.endsWith(host) && !request.url().startsWith("blob:")) strangers.add(host); });
  await tab.goto(`${url}/console/${place}`);
  return tab;
}

const said = (tab, text) => tab.getByRole("log").getByText(text).last();
const button = (tab, name) => tab.getByRole("button", { name, exact: true });

async function fresh(agent = "hotel") {
  await page.goto(`${url}/console/#conversations/`);
  await page.getByLabel("Agent").selectOption(agent);
  await button(page, "New").click();
}

async function say(text, tab = page) {
  await tab.getByLabel("Your message").fill(text);
  await tab.keyboard.press("Enter");
}

async function ended(tab = page) {
  await tab.getByText("Working …").waitFor({ state: "detached" });
}

async function withoutFindings(name) {
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

test("a question is answered, and what was done is told", async () => {
  await fresh();
  await say("a room for two adults from 24 to 28 December");
  await said(page, "What is free instead").waitFor();
  await ended();
  await page.getByText(/What it did: \d calls/).click();
  await page.locator(".bar-of").first().focus();
  assert.match(await page.getByRole("tooltip").first().innerText(), /"check_in": "2026-12-24"[^]*Result/);
  await page.keyboard.press("Escape");
  await page.getByText("What went wrong, and what was tried instead").click();
  await page.getByText("→ tried").first().waitFor();
  await page.getByText("answer checked").click();
  await page.getByText("accuracy: holds").waitFor();
  await withoutFindings("answered");
});

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
  await entry.getByRole("button", { name: "Yes", exact: true }).click();
  await entry.waitFor({ state: "detached" });
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
});

test("a stored roster is shown as its page, its findings lead to their cells, and it can be taken along", async () => {
  await page.goto(`${url}/console/#rosters/`);
  await withoutFindings("rosters");
  await page.getByRole("button", { name: /^Open / }).first().click();
  await page.locator(".roster-page").getByText("Fairness").first().waitFor();
  const link = page.locator(".roster-page a[href^='#']").first();
  if (await link.count()) {
    await link.click();
    assert.ok(await page.evaluate(() => document.querySelector(".roster-page").shadowRoot.activeElement !== null));
  }
  const waiting = page.waitForEvent("download");
  await button(page, "Excel").click();
  assert.match((await waiting).suggestedFilename(), /^roster-\w+\.xlsx$/);
  await withoutFindings("roster");
  await button(page, "Publish …").click();
  assert.match(await page.getByLabel("Your message").inputValue(), /^publish roster \w+$/);
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

test("nothing was refused by the page's policy, nothing came from elsewhere, no error was left", () => {
  assert.deepEqual(complaints, []);
  assert.deepEqual([...strangers], []);
});
