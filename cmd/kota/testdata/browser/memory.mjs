// Memories in a browser: written, found, corrected, restored and forgotten.
import { accessible, browse, check, devices, equal, includes, kota, open, shot } from './browser.mjs';

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

  await check('a forgotten memory is brought back, and its history shows what changed', async () => {
    await page.getByRole('link', { name: 'anna/tea' }).click();
    includes(await page.locator('main').innerText(), 'It was forgotten');
    await accessible(page);
    await page.getByRole('button', { name: 'Bring it back' }).click();
    includes(await kota('call', 'memory_get', 'query=anna/tea'), 'mint');
    if (!await page.locator('del').count()) throw new Error('the history shows no difference');
    await accessible(page);
    await shot(page, 'memory-history-phone');
  });

  await check('it gets a day on which it is forgotten', async () => {
    await page.getByLabel('Forget it by itself on').fill('2099-01-02');
    await page.getByRole('button', { name: 'Set' }).click();
    includes(await page.locator('article').innerText(), 'expires 2 January 2099');
    await accessible(page);
  });

  await check('near-duplicates are merged side by side, and unmerged', async () => {
    await kota('call', 'memory_set', 'key=tea of anna', 'value=mint');
    const wide = await open(browser, { viewport: { width: 1100, height: 800 } });
    await wide.goto(home + 'memory');
    await wide.getByRole('link', { name: 'Look for duplicates' }).click();
    await accessible(wide);
    await shot(wide, 'duplicates');
    await wide.getByRole('link', { name: /^Merge / }).first().click();
    await accessible(wide);
    await shot(wide, 'merge');
    await wide.getByRole('button', { name: 'Keep it as “anna/tea”' }).click();
    await wide.getByText('Done.').waitFor();
    includes(await kota('call', 'memory_get', 'query=tea of anna'), '"anna/tea"');
    await wide.getByRole('button', { name: 'Undo' }).click();
    includes(await kota('call', 'memory_list'), 'tea of anna');
    await wide.context().close();
  });

  const lines = (n) => Buffer.from(Array.from({ length: n }, (_, i) => JSON.stringify({ key: 'imported ' + i, value: 'value ' + i })).join('\n'));

  await check('a file is imported with progress, which keeps the focus, and cancelled', async () => {
    await page.goto(home + 'import');
    await accessible(page);
    await shot(page, 'import-phone');
    await page.getByLabel('File').setInputFiles({ name: 'many.jsonl', mimeType: 'text/plain', buffer: lines(80000) });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.getByText(/^[1-9]\d* of 80000$/).waitFor({ timeout: 30000 });
    equal(await page.evaluate(() => document.activeElement.id), 'cancel', 'the focus after an update');
    await accessible(page);
    await shot(page, 'progress-phone');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('You cancelled it').waitFor({ timeout: 30000 });
    await accessible(page);
  });

  await check('it works without JavaScript, and the page reloads itself', async () => {
    const plain = await open(browser, { javaScriptEnabled: false });
    await plain.goto(home + 'import');
    await plain.getByLabel('File').setInputFiles({ name: 'few.jsonl', mimeType: 'text/plain', buffer: lines(3000) });
    await plain.getByRole('button', { name: 'Only say what would happen' }).click();
    await plain.getByText('Nothing was written.').waitFor({ timeout: 30000 });
    await plain.context().close();
  });

  await check('a broken file is a sentence with the line', async () => {
    await page.goto(home + 'import');
    await page.getByLabel('File').setInputFiles({ name: 'x.jsonl', mimeType: 'text/plain', buffer: Buffer.from('{"key": 7}') });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    includes(await page.getByRole('alert').innerText(), 'line 1');
    await accessible(page);
    await shot(page, 'import-failed-phone');
  });

  await check('memories are exported as a file', async () => {
    await page.goto(home + 'import');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'JSON' }).click()]);
    includes(file.suggestedFilename(), '.json');
  });
});
