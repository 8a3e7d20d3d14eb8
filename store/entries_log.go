package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A Logging is what one call adds to the diary: at most 50 entries, and at
// most 50 tasks. What their Row says is not read.
type Logging struct {
	Entries []DayEntry
	Tasks   []Task
	Key     string // names the call, so that it has one effect however often it is made; "" for none
}

// A Logged says what a call added.
type Logged struct {
	Entries  []*DayEntry // in the order given; never nil
	Tasks    []*Task
	Undo     string // for Restore: deletes them; "" when nothing was added
	Repeated bool   // nothing was added: a call with this key was made before, and this is what has become of its rows
}

// Log adds entries and tasks in one transaction: all of them or none. A key
// that was used before adds nothing, also when two calls come at once, and
// returns what the first call made, as it is now and without what was erased;
// when what it asked for was something else, times and dates aside, Log
// returns a *KeyError. It returns ErrInvalid for what cannot be kept: no entry
// and no task, more than the limits allow, a date that there is not, an entry
// that says nothing; and a *SizeError for a text of more than MaxText bytes.
func (d *Diary) Log(ctx context.Context, l Logging) (Logged, error) {
	logged, err := d.log(ctx, l)
	if err != nil {
		return Logged{}, fmt.Errorf("log: %w", err)
	}
	return logged, nil
}

func (d *Diary) log(ctx context.Context, l Logging) (Logged, error) {
	if err := l.check(); err != nil {
		return Logged{}, err
	}
	entries, tasks := make([]DayEntry, len(l.Entries)), make([]Task, len(l.Tasks))
	for i, e := range l.Entries {
		if err := e.clean(); err != nil {
			return Logged{}, fmt.Errorf("entry %d: %w", i, err)
		}
		entries[i] = e
	}
	for i, task := range l.Tasks {
		if err := task.clean(); err != nil {
			return Logged{}, fmt.Errorf("task %d: %w", i, err)
		}
		tasks[i] = task
	}
	call := newCall(d.owner, l.Key, func() any { return timeless(entries, tasks) })
	logged := Logged{}
	err := d.db.write(ctx, func(t *tx) error {
		made, err := call.begin(t)
		if err != nil {
			return err
		}
		if made != nil {
			logged, err = d.logged(t, made)
			return err
		}
		logged = Logged{Entries: make([]*DayEntry, len(entries)), Tasks: make([]*Task, len(tasks))}
		now, ids := t.now(), []string{}
		for i := range entries {
			one := entries[i]
			if err := entryShelf.insert(t, d.owner, &one, now); err != nil {
				return err
			}
			logged.Entries[i], ids = &one, append(ids, one.ID)
		}
		for i := range tasks {
			one := tasks[i]
			if err := taskShelf.insert(t, d.owner, &one, now); err != nil {
				return err
			}
			logged.Tasks[i], ids = &one, append(ids, one.ID)
		}
		logged.Undo = madeOf(logged.Entries, logged.Tasks)
		return call.end(t, ids)
	})
	return logged, err
}

func (l Logging) check() error {
	switch {
	case len(l.Entries) == 0 && len(l.Tasks) == 0:
		return fmt.Errorf("%w: there is nothing to log", ErrInvalid)
	case len(l.Entries) > MaxEntries || len(l.Tasks) > MaxEntries:
		return fmt.Errorf("%w: %d entries and %d tasks, at most %d of each are taken at once", ErrInvalid, len(l.Entries), len(l.Tasks), MaxEntries)
	}
	return sized("idempotency key", l.Key, MaxKey)
}

// logged reads what a call made before.
func (d *Diary) logged(t *tx, made []string) (Logged, error) {
	logged := Logged{Entries: []*DayEntry{}, Tasks: []*Task{}, Repeated: true}
	for _, id := range made {
		err := appendRow(t, entryShelf, d.owner, id, &logged.Entries)
		if err == nil {
			err = appendRow(t, taskShelf, d.owner, id, &logged.Tasks)
		}
		if err != nil {
			return Logged{}, err
		}
	}
	return logged, nil
}

// appendRow reads a row, unless the id is of another kind or was erased.
func appendRow[T any](t *tx, s shelf[T], owner, id string, to *[]*T) error {
	one, err := s.get(t, owner, id)
	if err == nil {
		*to = append(*to, one)
	}
	return ignoreNotFound(err)
}

// clean puts an entry into the form in which it is kept.
func (e *DayEntry) clean() error {
	e.Text = strings.TrimSpace(strings.ToValidUTF8(e.Text, "\uFFFD"))
	e.Section = cleanLabel(e.Section)
	e.Moment = storedTime(e.Moment)
	var err error
	if e.Type, err = Name(e.Type); err != nil {
		return fmt.Errorf("type: %w", err)
	}
	if e.Metrics, err = cleanMetrics(e.Metrics); err != nil {
		return err
	}
	if e.Tags, err = cleanTags(e.Tags); err != nil {
		return err
	}
	if e.Links, err = cleanLinks(e.Links); err != nil {
		return err
	}
	switch {
	case e.Text == "" && e.Mood == 0 && e.Energy == 0 && len(e.Metrics) == 0:
		return fmt.Errorf("%w: the entry says nothing", ErrInvalid)
	case utf8.RuneCountInString(e.Section) > MaxLabel:
		return fmt.Errorf("%w: a section has at most %d characters", ErrInvalid, MaxLabel)
	case e.Moment.Year() < 1 || e.Moment.Year() > 9999: // which JSON does not have
		return fmt.Errorf("%w: the entry is of the year %d", ErrInvalid, e.Moment.Year())
	case e.Zone == "":
		return fmt.Errorf("%w: the entry has no time zone", ErrInvalid)
	}
	return errors.Join(checkDate(e.Date), checkScale(moodName, e.Mood), checkScale(energyName, e.Energy), sized("text", e.Text, MaxText))
}

// timeless is what a call asks for without the times and without what was read
// before it: one that is repeated may find others.
func timeless(entries []DayEntry, tasks []Task) any {
	asked := []any{}
	for _, e := range entries {
		e.Row, e.Date, e.Moment, e.Zone, e.Backfilled, e.Source = Row{}, "", time.Time{}, "", false, ""
		asked = append(asked, e)
	}
	for _, task := range tasks {
		asked = append(asked, task.Text)
	}
	return asked
}
