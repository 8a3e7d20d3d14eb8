package daily_test

import "testing"

type told struct {
	Date, Day, Why, Timezone, Foreign          string
	Calendar, Tasks, Mail, Memories, Yesterday toldPart
}

type toldPart struct {
	Status, Reason, Age, More string
	Unread                    []string
	Items                     []map[string]any
}

func TestAServerWithoutSourcesSaysWhatIsNotConnected(t *testing.T) {
	d := newDesk(t)
	got := must[told](t, d.bundle, "daily_briefing", args{})
	for name, c := range map[string]struct {
		part toldPart
		want string
	}{
		"calendar": {got.Calendar, "not_connected"}, "mail": {got.Mail, "not_connected"}, "memories": {got.Memories, "not_connected"},
		"tasks": {got.Tasks, "empty"}, "yesterday": {got.Yesterday, "empty"},
	} {
		if c.part.Status != c.want || (c.want == "empty") != (c.part.Reason == "") {
			t.Errorf("%s: got %+v, want %s", name, c.part, c.want)
		}
	}
}
