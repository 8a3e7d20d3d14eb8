// Actions are tried in a browser, by forms made from their schemas.
import { accessible, browse, check, devices, equal, includes, kota, open, shot } from './browser.mjs';

await browse(async (browser, home) => {
  await check('an action is called on a phone', async () => {
    const page = await open(browser, devices['Pixel 7']);
    await page.goto(home + 'try');
    await accessible(page);
    await page.getByRole('link', { name: 'memory_set', exact: true }).click();
    await accessible(page);
    await page.locator('#arg-key').fill('theme');
    await page.locator('#arg-value').fill('dark <b>blue</b>');
    await page.locator('#arg-tags').fill('colours\nhome');
    await shot(page, 'try-form-phone');
    await page.getByRole('button', { name: 'Call memory_set' }).click();
    await page.getByText('memory_set has answered.').waitFor();
    includes(await kota('call', 'memory_get', 'query=theme'), 'blue');
    await page.getByText('The same call elsewhere').click();
    await page.getByText('As JSON').click();
    const text = await page.locator('main').innerText();
    includes(text, 'kota call memory_set');
    includes(text, '"tools/call"');
    await accessible(page);
    await shot(page, 'try-answer-phone');
    await page.getByRole('link', { name: 'memory_set with these arguments' }).click();
    equal(await page.locator('#arg-value').inputValue(), 'dark <b>blue</b>', 'the value by the link');
    await page.context().close();
  });

  await check('a dry run changes nothing', async () => {
    const page = await open(browser, { javaScriptEnabled: false });
    await page.goto(home + 'try/memory_delete?arg.key=theme');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    includes(await page.locator('[role=status].note').innerText(), 'Nothing was changed.');
    includes(await kota('call', 'memory_get', 'query=theme'), 'dark');
    await page.context().close();
  });

  await check('a call that needs an approval leads to it', async () => {
    const page = await open(browser);
    await page.goto(home + 'try/gmail_send_message?arg.to=bob@example.com&arg.subject=Lunch&arg.body=At+noon.');
    await page.getByRole('button', { name: 'Do it' }).or(page.getByRole('button', { name: 'Call gmail_send_message' })).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    includes(await page.locator('main').innerText(), 'At noon.');
    await page.context().close();
  });

  await check('wrong arguments are problems as sentences, and the form keeps them', async () => {
    const page = await open(browser);
    await page.goto(home + 'try/memory_search?arg.query=x&arg.limit=many');
    await page.getByRole('button', { name: 'Call memory_search' }).click();
    includes(await page.getByRole('alert').innerText(), 'limit is a number');
    equal(await page.locator('#arg-limit').inputValue(), 'many', 'the kept value');
    await accessible(page);
    await page.goto(home + 'try/none');
    includes(await page.getByRole('alert').innerText(), 'there is no tool');
    await page.context().close();
  });

  await check('each form is accessible', async () => {
    const page = await open(browser);
    await page.goto(home + 'try');
    const links = await page.locator('main li a').evaluateAll((all) => all.map((a) => a.href));
    console.log(`     ${links.length} forms`);
    for (const link of links) {
      await page.goto(link);
      const weight = (await page.content()).length;
      if (weight > 60e3) throw new Error(`${link} has ${weight} bytes`);
    }
    if (page.problems.length) throw new Error(page.problems.join('; '));
    await page.context().close();
  });
});
