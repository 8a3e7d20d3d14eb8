// Approvals in a browser: on a phone, live, without JavaScript, and by two tabs at once.
import { accessible, browse, check, devices, equal, includes, kota, open, park, shot } from './browser.mjs';

const mail = (subject) => park('gmail_send_message', 'to=bob@example.com', 'subject=' + subject, 'body=See you at noon.');

await browse(async (browser, home) => {
  await check('a mail is approved on a phone', async () => {
    const page = await open(browser, devices['Pixel 7']);
    const id = await mail('Lunch');
    await page.goto(home + 'approvals');
    await accessible(page);
    await shot(page, 'approvals-phone');
    await page.getByRole('link', { name: 'Read and decide' }).click();
    includes(await page.locator('main').innerText(), 'See you at noon.');
    await accessible(page);
    await shot(page, 'approval-phone');
    await page.getByRole('button', { name: 'Approve' }).click();
    includes(await page.locator('[role=status].note').innerText(), id + ' was approved and done');
    await page.goBack();
    await page.waitForTimeout(300);
    equal(await page.getByRole('button', { name: 'Approve' }).count(), 0, 'buttons to approve after Back');
    await accessible(page);
    includes(await kota('outbox'), 'Lunch');
    await page.context().close();
  });

  await check('a mail is changed before it is approved', async () => {
    const page = await open(browser, devices['Pixel 7']);
    const asked = ['gmail_send_message', 'to=bob@example.com', 'subject=Draft', 'body=See you at noon.'];
    const id = await park(...asked);
    await page.goto(home + 'approvals/' + id);
    await page.getByText('Change the text first').click();
    await accessible(page);
    await page.getByLabel('Text').fill('See you at one.\nBring the cake.');
    await page.getByRole('button', { name: 'Approve with these changes' }).click();
    includes(await page.locator('[role=status].note').innerText(), id + ' was approved and done');
    const answer = await kota('call', ...asked); // as the assistant repeats it
    includes(answer, 'message_id');
    includes(await kota('pending'), 'No call is pending');
    await accessible(page);
    await page.context().close();
  });

  await check('a draft that changed after it was shown shows the difference', async () => {
    const page = await open(browser, devices['Pixel 7']);
    const draft = JSON.parse(await kota('call', 'gmail_send_message', 'to=bob@example.com', 'subject=Rolls', 'body=See you at noon.', 'as_draft:=true')).draft_id;
    const first = await park('gmail_send_draft', 'draft_id=' + draft);
    await kota('call', 'gmail_update_draft', 'draft_id=' + draft, 'body=See you at nine.');
    const second = await park('gmail_send_draft', 'draft_id=' + draft);
    await page.goto(home + 'approvals/' + first);
    await page.getByRole('link', { name: 'Read the changed call' }).click();
    includes(await page.locator('#changed del').allInnerTexts().then((all) => all.join()), 'noon.');
    includes(await page.locator('#changed ins').allInnerTexts().then((all) => all.join()), 'nine.');
    await accessible(page);
    await shot(page, 'approval-changed-phone');
    await kota('reject', second);
    await page.context().close();
  });

  await check('a new call appears without a reload', async () => {
    const page = await open(browser, { viewport: { width: 1100, height: 800 } });
    await page.goto(home + 'approvals');
    await page.waitForTimeout(500);
    const before = await page.title();
    const id = await mail('Live');
    const asked = Date.now();
    await page.locator(`a[href$="${id}"]`).first().waitFor({ timeout: 5000 });
    console.log(`     shown ${Date.now() - asked} ms after the call was pending`);
    await page.waitForFunction((title) => document.title !== title, before, { timeout: 5000 });
    includes(await page.title(), '(1) ');
    await accessible(page);
    await shot(page, 'approvals-live');
    await kota('reject', id);
    await page.getByText('Nothing waits for you').waitFor({ timeout: 5000 });
    await page.context().close();
  });

  await check('of two tabs that approve, one wins and the other is told', async () => {
    const first = await open(browser);
    const second = await first.context().newPage();
    const id = await mail('Twice');
    await first.goto(home + 'approvals/' + id);
    await second.goto(home + 'approvals/' + id);
    await Promise.all([first, second].map((page) => page.getByRole('button', { name: 'Approve' }).click()));
    const texts = await Promise.all([first, second].map((page) => page.locator('main').innerText()));
    if (!texts.some((text) => text.includes('was approved and done'))) throw new Error('neither says that it is done: ' + texts.join('\n---\n'));
    if (!texts.every((text) => text.includes('was approved'))) throw new Error('one tab does not say what happened: ' + texts.join('\n---\n'));
    const sent = (await kota('outbox', '--json')).split('"Twice"').length - 1;
    if (sent > 1) throw new Error('sent ' + sent + ' times');
    await first.context().close();
  });

  await check('reading and approving work without JavaScript', async () => {
    const page = await open(browser, { javaScriptEnabled: false });
    const id = await mail('Plain');
    await page.goto(home + 'approvals');
    await page.getByRole('link', { name: 'Read and decide' }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    includes(await page.locator('main').innerText(), id + ' was rejected');
    await page.context().close();
  });

  await check('the keyboard is enough', async () => {
    const page = await open(browser);
    const id = await mail('Keys');
    await page.goto(home + 'approvals/' + id);
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.value) === 'reject') break;
    }
    await page.keyboard.press('Enter');
    await page.getByText(id + ' was rejected').waitFor({ timeout: 5000 });
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-result'), null, { timeout: 2000 });
    await page.context().close();
  });
});
