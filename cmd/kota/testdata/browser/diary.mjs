// The diary and Today in a browser: logging, correcting and undoing, the year, a day, tasks, on a
// phone and without JavaScript.
import { accessible, browse, check, devices, equal, includes, kota, open, shot } from './browser.mjs';

const day = (back) => new Date(Date.now() - back * 86400e3).toISOString().slice(0, 10);

const today = JSON.parse(await kota('call', 'daily_briefing')).date;

await browse(async (browser, home) => {
  await check('empty pages say what to do', async () => {
    const page = await open(browser, devices['Pixel 7']);
    await page.goto(home + 'diary');
    includes(await page.locator('main').innerText(), 'Write the first entry above');
    await accessible(page);
    await page.goto(home);
    includes(await page.locator('main').innerText(), 'No task is open.');
    await accessible(page);
    await shot(page, 'today-empty-phone');
    await page.getByRole('link', { name: 'Which mail waits for an answer?' }).click();
    includes(await page.locator('main').innerText(), 'Nobody waits for you.');
    await accessible(page);
    await page.context().close();
  });

  await check('an entry is logged on Today, corrected on its day, and both are undone', async () => {
    const page = await open(browser, devices['Pixel 7']);
    await page.goto(home);
    await page.getByLabel('What happened just now?').fill('Called <b>Anna</b>');
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.getByText('Done.').waitFor();
    await page.goto(home + 'diary');
    await page.getByText('The days as a table').click();
    await page.locator('a.day').last().click();
    includes(await page.locator('main').innerText(), 'Called <b>Anna</b>');
    await page.getByText('Correct or delete it').click();
    await page.locator('textarea').fill('Called Anna twice');
    await page.locator('li').getByLabel('Numbers').fill('calls=2');
    await accessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('calls=2').waitFor();
    await accessible(page);
    await shot(page, 'diary-day-phone');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Called <b>Anna</b>').first().waitFor();
    equal(await page.getByText('calls=2').count(), 0, 'numbers after the undo');
    await page.getByText('Correct or delete it').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing was logged on this day.').waitFor();
    await page.context().close();
  });

  await check('a wrong number is refused with a sentence', async () => {
    const page = await open(browser);
    await page.goto(home + 'diary');
    await page.getByLabel('What happened just now?').fill('Slept');
    await page.getByText('Kind, time, mood, numbers and tags').click();
    await page.getByLabel('Numbers').fill('well');
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    includes(await page.getByRole('alert').innerText(), 'sleep_hours=7.5');
    await accessible(page);
    await page.context().close();
  });

  await check('the year shows its days, metrics and search', async () => {
    for (let back = 1; back <= 60; back++) {
      if (back % 5 === 0) continue;
      await kota('call', 'daily_log', 'text=Ran along the river', 'type=training', 'date=' + day(back), `mood=${1 + back % 5}`, `metrics={"km":${3 + back % 7},"sleep_hours":${6 + back % 3}}`);
    }
    await kota('call', 'daily_plan', 'type=day_plan', 'period=' + day(1), 'answers={"focus":"Finish the report"}');
    for (const [name, options] of [['diary-phone', devices['Pixel 7']], ['diary', { viewport: { width: 1100, height: 800 } }]]) {
      const page = await open(browser, options);
      await page.goto(home + 'diary');
      await accessible(page);
      await shot(page, name + '-dark');
      await page.emulateMedia({ colorScheme: 'light' });
      await shot(page, name);
      const weight = (await page.content()).length;
      console.log(`     the page has ${weight} bytes`);
      if (weight > 100e3) throw new Error('the page has ' + weight + ' bytes');
      await page.getByLabel('Search the diary').fill('rivr');
      await page.locator('#found article').first().waitFor({ timeout: 5000 });
      await page.context().close();
    }
  });

  await check('tasks are added, done and deferred without JavaScript', async () => {
    const page = await open(browser, { ...devices['Pixel 7'], javaScriptEnabled: false });
    for (const task of ['Water the plants', 'Call the plumber', 'Book the train']) {
      await page.goto(home);
      await page.getByLabel('Add a task').fill(task);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    }
    await shot(page, 'today-phone');
    await page.getByRole('button', { name: 'Done: Water the plants' }).click();
    await page.getByRole('button', { name: 'Tomorrow: Call the plumber' }).click();
    const text = await page.locator('main').innerText();
    if (text.includes('Water the plants') || text.includes('Call the plumber')) throw new Error('a task is still open: ' + text);
    includes(text, 'Book the train');
    includes(await kota('call', 'daily_task', 'op=list'), 'Water the plants');
    await page.context().close();
  });

  await check('Today on a wide screen, with events', async () => {
    for (const [title, start] of [['Dentist', '09:30'], ['Lunch with Anna', '12:00'], ['Budget', '15:15']]) {
      const done = await kota('call', 'calendar_create_event', 'title=' + title, 'start=' + today + 'T' + start);
      includes(done, 'created');
    }
    const page = await open(browser, { viewport: { width: 1100, height: 800 } });
    await page.goto(home);
    await page.getByText('Lunch with Anna').waitFor();
    equal(await page.locator('svg.strip rect').count(), 3, 'events in the strip');
    await accessible(page);
    await shot(page, 'today');
    await page.context().close();
  });
});
