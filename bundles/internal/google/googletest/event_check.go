package googletest

// check refuses an event that Google would not store, and puts the good one
// into the form it is stored in.
func (w *edit) check(body object) error {
	if err := w.calendar.setTimes(w.next); err != nil {
		return err
	}
	return nil
}

// settle lets what was asked for and takes its time come true.
func (c *fakeCalendar) settle(*fakeEvent) {}

func (w *edit) spread() {}
