// What was sent and changed, in a browser. The home has a mail of which nobody knows whether it
// was sent.
import { accessible, browse, check, devices, equal, includes, kota, open, park, shot } from './browser.mjs';

await browse(async (browser, home) => {
  await check('a mail that may not have been sent is resolved on a phone', async () => {
    const page = await open(browser, devices['Pixel 7']);
    await page.goto(home + 'sent');
    includes(await page.locator('main').innerText(), 'may or may not have been sent');
    await accessible(page);
    await shot(page, 'sent-phone');
    await page.getByRole('link', { name: 'Lunch' }).click();
    await accessible(page);
    await shot(page, 'sent-item-phone');
    await page.getByRole('button', { name: 'Find out' }).click();
    await page.waitForLoadState();
    await page.getByRole('heading', { name: 'Sent' }).waitFor();
    equal(await page.getByRole('button', { name: 'Find out' }).count(), 0, 'buttons after it was resolved');
    await accessible(page);
    await page.context().close();
  });

  await check('a change is undone after a preview, without JavaScript', async () => {
    await kota('call', 'memory_set', 'key=theme', 'value=dark');
    await kota('call', 'memory_set', 'key=theme', 'value=light');
    const page = await open(browser, { javaScriptEnabled: false });
    await page.goto(home + 'sent');
    await page.getByRole('link', { name: /^Undo: / }).first().click();
    includes(await page.locator('del').innerText(), 'light');
    includes(await page.locator('ins').innerText(), 'dark');
    await page.getByRole('button', { name: 'Undo it' }).first().click();
    includes(await kota('call', 'memory_get', 'query=theme'), 'dark');
    await page.context().close();
    const again = await open(browser, devices['Pixel 7']);
    await kota('call', 'memory_set', 'key=theme', 'value=blue');
    await again.goto(home + 'sent');
    await again.getByRole('link', { name: /^Undo: / }).first().click();
    await accessible(again);
    await shot(again, 'undo-phone');
    await again.context().close();
  });

  await check('the log is filtered, and its chain checked', async () => {
    const page = await open(browser, { viewport: { width: 1100, height: 800 } });
    await page.goto(home + 'sent');
    await page.getByLabel('Bundle').selectOption('gmail');
    await page.getByRole('button', { name: 'Filter' }).click();
    const calls = await page.locator('#calls').innerText();
    includes(calls, 'gmail_send_message');
    if (calls.includes('memory_set')) throw new Error('the filter lets through: ' + calls);
    await accessible(page);
    await shot(page, 'sent');
    await page.getByRole('link', { name: 'Check that nobody changed this log' }).click();
    includes(await page.locator('[role=status].note').innerText(), 'No row of the log was changed');
    await accessible(page);
    await page.context().close();
  });

  await check('an unknown item and an unknown change are sentences', async () => {
    const page = await open(browser);
    for (const path of ['sent/none', 'undo/u999']) {
      await page.goto(home + path);
      await page.getByRole('alert').waitFor();
      await accessible(page);
    }
    await page.context().close();
  });
});
