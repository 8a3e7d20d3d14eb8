// Open pages: many tabs, a server that ends and returns, a screen reader, the keyboard and forced
// colours.
import { accessible, browse, check, equal, includes, kota, open, park, serve, shot, signIn, start, stop } from './browser.mjs';

const mail = (subject) => park('gmail_send_message', 'to=bob@example.com', 'subject=' + subject, 'body=See you at noon.');

await browse(async (browser, home) => {
  await check('each of nine tabs shows a new call', async () => {
    const first = await open(browser);
    const tabs = [first];
    while (tabs.length < 9) tabs.push(await first.context().newPage());
    for (const tab of tabs) await tab.goto(home + 'approvals', { timeout: 60000 });
    const shown = (tab, id) => tab.locator(`a[href$="${id}"]`).first().waitFor({ timeout: 60000 });
    const id = await mail('Nine');
    await Promise.all(tabs.map((tab) => shown(tab, id)));
    for (const tab of tabs.splice(0, 5)) await tab.close(); // one of them has the stream
    const next = await mail('Four');
    await Promise.all(tabs.map((tab) => shown(tab, next)));
    await Promise.all([kota('reject', id), kota('reject', next)]);
    await first.context().close();
  });

  await check('a page says that its console was ended, and that its session is over', async () => {
    const { program, link } = await start();
    const page = await open(browser);
    page.expected = /ERR_CONNECTION_REFUSED/;
    await page.goto((await signIn(page, link)) + 'memory');
    const second = await page.context().newPage();
    await second.goto(page.url());
    await stop(program);
    for (const tab of [page, second]) await tab.getByText('KOTA does not answer').waitFor({ timeout: 60000 });
    includes(await page.getByRole('alert').innerText(), 'run `kota console`');
    await accessible(page);
    const again = await start('--address', new URL(link).host);
    for (const tab of [page, second]) await tab.getByText('This session has ended').waitFor({ timeout: 60000 });
    await page.getByRole('button', { name: 'Search' }).click(); // the address of the old console
    includes(await page.locator('main').innerText(), 'run `kota console`');
    await page.context().close();
    await stop(again.program);
  });

  await check('a page goes on when its server was restarted', async () => {
    const first = await serve('127.0.0.1:0');
    const page = await open(browser);
    await page.goto((await signIn(page, (await kota('console', '--no-browser', '--remote', first.url)).trim())) + 'approvals');
    await stop(first.program);
    await page.getByText('KOTA does not answer').waitFor({ timeout: 60000 });
    const id = await mail('Meanwhile');
    const second = await serve(new URL(first.url).host);
    await page.locator(`a[href$="${id}"]`).first().waitFor({ timeout: 60000 });
    equal(await page.getByText('KOTA does not answer').isVisible(), false, 'the note is shown');
    await kota('reject', id);
    await page.context().close();
    await stop(second.program);
  });

  await check('a screen reader hears of a new call, and keeps its place', async () => {
    const page = await open(browser);
    const first = await mail('First');
    await page.goto(home + 'approvals');
    const tree = await page.locator('body').ariaSnapshot();
    for (const part of ['navigation "Pages"', 'heading "Approvals" [level=1]', 'link "Read and decide"', '- main', '- banner', 'link "Skip to the content"']) includes(tree, part);
    const link = page.getByRole('link', { name: 'Read and decide' });
    await link.focus();
    const second = await mail('Second');
    await page.locator(`a[href$="${second}"]`).first().waitFor({ timeout: 60000 });
    await page.getByRole('status').filter({ hasText: '2 calls wait for your approval.' }).waitFor({ timeout: 60000 });
    equal(await page.evaluate(() => document.activeElement.getAttribute('href')?.split('/').pop()), first, 'the focus after a call was added');
    includes(await page.locator('nav').ariaSnapshot(), '2 waiting');
    await kota('reject', first);
    await kota('reject', second);
    await page.context().close();
  });

  await check('the keyboard is enough, from the link to the approval', async () => {
    const { program, link } = await start();
    const id = await mail('Keys');
    const page = await open(browser);
    await page.goto(link);
    await page.keyboard.press('Enter'); // the button has the focus
    await page.getByRole('navigation').waitFor();
    // to presses Tab until the focus is on what has this text, and Enter there.
    const to = async (text) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
          const style = getComputedStyle(document.activeElement);
          return { text: document.activeElement.innerText ?? '', outline: style.outlineStyle };
        });
        if (at.outline === 'none') throw new Error('the focus is not visible on ' + at.text);
        if (at.text.trim().startsWith(text)) return page.keyboard.press('Enter');
      }
      throw new Error('no Tab leads to ' + text);
    };
    await to('Skip to the content');
    equal(new URL(page.url()).hash, '#main', 'the skip link');
    await page.goto(page.url().split('#')[0]);
    await to('Approvals');
    await page.getByRole('heading', { name: 'Approvals' }).waitFor();
    await to('Read and decide');
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
    await to('Approve');
    await page.getByText(id + ' was approved and done').waitFor({ timeout: 60000 });
    equal(await page.evaluate(() => document.activeElement.hasAttribute('data-result')), true, 'the focus is on the result');
    await page.context().close();
    await stop(program);
  });

  await check('forced colours show what colours showed', async () => {
    const id = await mail('Colours');
    await kota('call', 'memory_set', 'key=tea', 'value=green', 'tags:=["drinks"]');
    await kota('call', 'daily_log', 'text=Ran');
    const page = await open(browser, { forcedColors: 'active', viewport: { width: 800, height: 700 } });
    for (const path of ['', 'approvals/' + id, 'memory', 'diary', 'sent']) {
      await page.goto(home + path);
      await accessible(page);
      equal(await page.locator('nav a[aria-current]').evaluate((a) => getComputedStyle(a).outlineStyle), 'solid', path + ': the border of the current page');
      const flat = await page.locator('button:visible, .tag:visible, input:visible, textarea:visible').evaluateAll((all) => all.filter((e) => !e.classList.contains('plain') && getComputedStyle(e).borderTopStyle === 'none').map((e) => e.outerHTML.slice(0, 100)));
      equal(flat.join(), '', path + ': what has no border');
    }
    await page.goto(home + 'diary');
    const levels = await page.locator('svg.key rect').evaluateAll((all) => new Set(all.map((rect) => getComputedStyle(rect).fill)).size);
    equal(levels, 5, 'shades of the heat map');
    await shot(page, 'diary-forced-colours');
    await kota('reject', id);
    await page.context().close();
  });
});
