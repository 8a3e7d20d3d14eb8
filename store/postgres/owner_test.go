package postgres

import "testing"

func TestTheStoresOfAPersonCallItByOneName(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, newDatabase(t).asSuperuser())
	ann, bob := mustTenant(t, s, "ann"), mustTenant(t, s, "bob")
	number := ann.Owner("local")
	if number != ann.Owner("local") || number != ann.Owner("") || number == bob.Owner("local") {
		t.Errorf("ann has the numbers %v, %v and %v, bob has %v", number, ann.Owner("local"), ann.Owner(""), bob.Owner("local"))
	}
	defer func() {
		if recover() == nil {
			t.Error("bob's stores got the rows of ann")
		}
	}()
	ann.Owner("bob")
}
