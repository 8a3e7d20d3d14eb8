// Memories in a browser: written, found, corrected, restored and forgotten.
import { accessible, browse, check, devices, includes, kota, open, shot } from './browser.mjs';

await browse(async (browser, home) => {
  const page = await open(browser, devices['Pixel 7']);

  await check('the empty page says what to do', async () => {
    await page.goto(home + 'memory');
    includes(await page.locator('main').innerText(), 'Nothing here yet');
    await accessible(page);
  });

  await check('a memory is written', async () => {
    await page.getByRole('link', { name: 'Write a memory' }).click();
    await accessible(page);
    await page.getByLabel('Name').fill('anna/tea');
    await page.getByLabel('What to remember').fill('green, no sugar');
    await page.getByLabel('Category').fill('preferences');
    await page.getByLabel('Tags').fill('anna tea');
    await page.getByRole('button', { name: 'Remember' }).click();
    includes(await page.locator('main').innerText(), 'green, no sugar');
    includes(await kota('call', 'memory_get', 'query=anna/tea'), 'green, no sugar');
    await accessible(page);
    await shot(page, 'memory-phone');
  });

  await check('a name that exists is not replaced', async () => {
    await page.goto(home + 'remember');
    await page.getByLabel('Name').fill('anna/tea');
    await page.getByLabel('What to remember').fill('black');
    await page.getByRole('button', { name: 'Remember' }).click();
    includes(await page.getByRole('alert').innerText(), 'anna/tea');
    await accessible(page);
    includes(await kota('call', 'memory_get', 'query=anna/tea'), 'green, no sugar');
  });

  await check('it is found while typing, with the reason', async () => {
    await page.goto(home + 'memory');
    await page.getByRole('searchbox').pressSequentially('sugar');
    await page.getByText('found by word').waitFor({ timeout: 5000 });
    await accessible(page);
    await shot(page, 'memory-search-phone');
  });

  await check('it is corrected, and an earlier version restored', async () => {
    await page.goto(home + 'memory/' + encodeURIComponent('anna/tea'));
    await page.getByText('Correct it').click();
    await page.getByLabel('What it says').fill('oolong');
    await page.getByRole('button', { name: 'Save' }).click();
    includes(await page.locator('article').innerText(), 'oolong');
    await page.getByRole('button', { name: 'Restore this version' }).first().click();
    includes(await page.locator('article').innerText(), 'green, no sugar');
    await accessible(page);
  });

  await check('an edit over a later change is refused', async () => {
    await page.goto(home + 'memory/' + encodeURIComponent('anna/tea'));
    await page.getByText('Correct it').click();
    await kota('call', 'memory_set', 'key=anna/tea', 'value=mint');
    await page.getByLabel('What it says').fill('lost');
    await page.getByRole('button', { name: 'Save' }).click();
    includes(await page.getByRole('alert').innerText(), 'version');
    includes(await kota('call', 'memory_get', 'query=anna/tea'), 'mint');
    await accessible(page);
  });

  await check('a value that is an object stays one', async () => {
    await kota('call', 'memory_set', 'key=sizes', 'value:={"shoe":43}');
    await page.goto(home + 'memory/sizes');
    await page.getByText('Correct it').click();
    await page.getByLabel('What it says').fill('{"shoe": 44}');
    await page.getByRole('button', { name: 'Save' }).click();
    includes(await kota('call', 'memory_get', 'query=sizes'), '{"shoe":44}');
  });

  await check('a secret is shown only when asked for', async () => {
    await kota('call', 'memory_set', 'key=bank pin', 'value=4711', 'secret:=true');
    for (const path of ['memory', 'memory?q=pin', 'memory/bank%20pin']) {
      await page.goto(home + path);
      if ((await page.content()).includes('4711')) throw new Error(path + ' shows the secret');
    }
    await page.getByRole('link', { name: 'Show the secret' }).click();
    includes(await page.locator('article').innerText(), '4711');
    await accessible(page);
  });

  await check('it is forgotten, after a question', async () => {
    await page.goto(home + 'memory/' + encodeURIComponent('anna/tea'));
    await page.getByRole('button', { name: 'Forget', exact: true }).click();
    if (await page.getByRole('button', { name: 'Approve' }).count()) await page.getByRole('button', { name: 'Approve' }).click();
    includes(await kota('call', 'memory_get', 'query=anna/tea'), '"found":false');
    await page.goto(home + 'memory?archived=1');
    includes(await page.locator('main').innerText(), 'anna/tea');
    await accessible(page);
  });
});
