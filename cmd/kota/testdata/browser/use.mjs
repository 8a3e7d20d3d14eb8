// What was used how often, in a browser.
import { accessible, browse, check, devices, includes, kota, open, shot } from './browser.mjs';

await browse(async (browser, home) => {
  await check('without uses the page says what to do', async () => {
    const page = await open(browser, devices['Pixel 7']);
    await page.goto(home + 'use');
    includes(await page.locator('main').innerText(), 'tokens with expose:');
    await accessible(page);
    await page.context().close();
  });

  await check('uses and errors are counted', async () => {
    await kota('call', 'memory_set', 'key=theme', 'value=dark');
    await kota('call', 'memory_get', 'query=theme');
    await kota('call', 'memory_restore', 'key=none', 'version=7');
    const page = await open(browser, devices['Pixel 7']);
    await page.goto(home + 'use');
    const text = await page.locator('main').innerText();
    includes(text, 'memory_get');
    includes(text, 'NOT_FOUND');
    await accessible(page);
    await shot(page, 'use-phone');
    await page.context().close();
  });
});
