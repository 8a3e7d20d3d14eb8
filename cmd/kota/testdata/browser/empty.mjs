// A home where nothing is: every page answers, teaches, and is accessible. The user is not signed in
// anywhere.
import { accessible, browse, check, devices, open, shot } from './browser.mjs';

await browse(async (browser, home) => {
  const page = await open(browser, devices['Pixel 7']);
  await page.goto(home);
  const entries = await page.locator('nav a').evaluateAll((all) => all.map((a) => [a.innerText.trim(), a.href]));
  for (const [name, address] of entries) {
    await check(name + ' is empty', async () => {
      const response = await page.goto(address);
      if (response.status() !== 200) throw new Error('it answers ' + response.status());
      const text = await page.locator('main').innerText();
      if (/undefined|\bnull\b|\bNaN\b|%!|<nil>/.test(text)) throw new Error('it says: ' + text);
      if (text.length < 40) throw new Error('it says only: ' + text);
      await accessible(page);
      await shot(page, 'empty-' + name.toLowerCase().replaceAll(/\W+/g, '-'));
    });
  }
  await page.context().close();
});
