package event

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	calendarapi "google.golang.org/api/calendar/v3"
)

// sentPatch returns the JSON of the patch from one event to the other.
func sentPatch(t *testing.T, from, to *calendarapi.Event) string {
	t.Helper()
	was, err := FieldsOf(from)
	if err != nil {
		t.Fatal(err)
	}
	is, err := FieldsOf(to)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(was.PatchTo(is))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestPatchToSendsOnlyChanges(t *testing.T) {
	no := false
	from := func() *calendarapi.Event {
		return &calendarapi.Event{
			Id: "a", Etag: `"1"`, Summary: "Lunch", Location: "Here", ColorId: "3", GuestsCanModify: true,
			Start:              &calendarapi.EventDateTime{DateTime: "2026-11-24T12:00:00+01:00", TimeZone: "Europe/Amsterdam"},
			End:                &calendarapi.EventDateTime{DateTime: "2026-11-24T13:00:00+01:00", TimeZone: "Europe/Amsterdam"},
			Attendees:          []*calendarapi.EventAttendee{{Email: "bob@example.org", ResponseStatus: "accepted"}},
			Reminders:          &calendarapi.EventReminders{UseDefault: true},
			ExtendedProperties: &calendarapi.EventExtendedProperties{Private: map[string]string{"kota": "x", "other": "y"}},
		}
	}
	for name, c := range map[string]struct {
		change func(*calendarapi.Event)
		want   string
	}{
		"nothing": {func(*calendarapi.Event) {}, `{}`},
		"a word":  {func(e *calendarapi.Event) { e.Summary = "Dinner" }, `{"summary":"Dinner"}`},
		"emptied": {func(e *calendarapi.Event) { e.Summary, e.ColorId = "", "" }, `{"colorId":null,"summary":null}`},
		"no guests and no right to modify": {func(e *calendarapi.Event) { e.Attendees, e.GuestsCanModify = nil, false },
			`{"attendees":[],"guestsCanModify":null}`},
		"false where the default is true": {func(e *calendarapi.Event) { e.GuestsCanInviteOthers = &no }, `{"guestsCanInviteOthers":false}`},
		"own reminders":                   {func(e *calendarapi.Event) { e.Reminders = &calendarapi.EventReminders{} }, `{"reminders":{"overrides":[],"useDefault":false}}`},
		"a property":                      {func(e *calendarapi.Event) { e.ExtendedProperties.Private = map[string]string{"other": "z"} }, `{"extendedProperties":{"private":{"kota":null,"other":"z"}}}`},
		"a later end also sends the start": {func(e *calendarapi.Event) { e.End.DateTime = "2026-11-24T14:00:00+01:00" },
			`{"end":{"date":null,"dateTime":"2026-11-24T14:00:00+01:00","timeZone":"Europe/Amsterdam"},"start":{"date":null,"dateTime":"2026-11-24T12:00:00+01:00","timeZone":"Europe/Amsterdam"}}`},
		"all day": {func(e *calendarapi.Event) {
			e.Start, e.End = &calendarapi.EventDateTime{Date: "2026-11-24"}, &calendarapi.EventDateTime{Date: "2026-11-25"}
		}, `{"end":{"date":"2026-11-25","dateTime":null,"timeZone":null},"start":{"date":"2026-11-24","dateTime":null,"timeZone":null}}`},
	} {
		to := from()
		c.change(to)
		if got := sentPatch(t, from(), to); got != c.want {
			t.Errorf("%s: sent %s, want %s", name, got, c.want)
		}
	}
}

// Applying the patch by RFC 7396 must give the target object.
func TestMergePatchProducesTarget(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for range 2000 {
		from, to := randomFields(random, 2), randomFields(random, 2)
		if got := applyPatch(from, MergePatch(from, to)); !cmp.Equal(got, to) {
			t.Fatalf("from %v: %s", from, cmp.Diff(to, got))
		}
	}
}

func randomFields(random *rand.Rand, depth int) map[string]any {
	fields := map[string]any{}
	for _, name := range []string{"a", "b", "c", "d"} {
		switch n := random.IntN(6); {
		case n == 0 && depth > 0:
			fields[name] = randomFields(random, depth-1)
		case n < 3:
			fields[name] = float64(n)
		case n == 3:
			fields[name] = []any{float64(random.IntN(2))}
		}
	}
	return fields
}

// applyPatch applies a merge patch to an object (RFC 7396, section 2).
func applyPatch(target, patch map[string]any) map[string]any {
	out := maps.Clone(target)
	for name, value := range patch {
		inner, nested := value.(map[string]any)
		fields, was := out[name].(map[string]any)
		switch {
		case value == nil:
			delete(out, name)
		case nested && was:
			out[name] = applyPatch(fields, inner)
		case nested:
			out[name] = applyPatch(map[string]any{}, inner)
		default:
			out[name] = value
		}
	}
	return out
}
