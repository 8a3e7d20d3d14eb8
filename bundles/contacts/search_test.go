package contacts_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kota/bundles/bundletest"
	"kota/bundles/internal/google/googletest/fakeapi"
	"kota/metadata"
)

const (
	connections = "people.people.connections.list"
	others      = "people.otherContacts.list"
	directory   = "people.people.listDirectoryPeople"
)

// found is an answer of contacts_search or contacts_list.
type found struct {
	Contacts []struct {
		ID         string `json:"contact_id"`
		Name       string
		Emails     []string
		Matched    string
		Source     string
		More       bool
		Provenance *struct{ Source, Trust string }
	}
	Skipped []string `json:"not_searched"`
	Total   int
	Next    string `json:"next_cursor"`
	Note    string
}

func (f found) names() string {
	names := []string{}
	for _, c := range f.Contacts {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

func (d *fixture) search(t *testing.T, query string) found {
	t.Helper()
	return bundletest.Must[found](t, d.bundle, "contacts_search", args{"query": query})
}

func TestSearchFindsWhatIsRemembered(t *testing.T) {
	d := newFixture(t)
	seed(d)
	d.ann.AddContact(named("Zoë", "Müller", args{"relations": list{args{"person": "Tom", "type": "brother"}}, "emailAddresses": values("zm@brightwater.example")}))
	d.ann.AddContact(named("Raj", "Patel", args{"organizations": list{args{"name": "Brightwater", "department": "Sales"}}, "biographies": values("met at the fair")}))
	d.ann.AddContact(args{"nicknames": values("Mum")})
	d.ann.AddContact(named("Mia", "", nil))
	for query, want := range map[string]string{
		"anna":            "Anna Meier",
		"Ana Meyer":       "Anna Meier", // two typos
		"zoe mueller":     "Zoë Müller",
		"annie":           "Anna Meier",
		"my dentist":      "Urs Keller",
		"mum":             "Mum",
		"my brother tom":  "Zoë Müller",
		"brightwater":     "Raj Patel, Zoë Müller",
		"raj brightwater": "Raj Patel",
		"raj from sales":  "Raj Patel",
		"555 01 02":       "Anna Meier",
		"0041445550102":   "Anna Meier",
		"0102":            "Anna Meier",
		"555":             "",
		"the fair":        "Raj Patel",
		"mia":             "Mia", // also a word that means "my"
		"pat":             "Raj Patel",
		"xyzzy":           "",
		"':--; DROP":      "",
	} {
		if got := d.search(t, query).names(); got != want {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	if got := d.search(t, "my dentist"); got.Contacts[0].Matched != "work" || got.Contacts[0].Provenance != nil {
		t.Errorf("got %+v", got)
	}
}

// Ten thousand contacts are read in ten requests, and found without any.
func TestSearchWorksOnACopy(t *testing.T) {
	d := newFixture(t)
	for i := range 10_000 {
		d.ann.AddContact(named(fmt.Sprintf("Given%d", i), fmt.Sprintf("Family%d", i), args{"emailAddresses": values(fmt.Sprintf("p%d@example.org", i))}))
	}
	if got := d.search(t, "given77 family77").names(); !strings.HasPrefix(got, "Given77 Family77, ") {
		t.Fatalf("got %q", got)
	}
	if n := len(d.google.Requests()); n > 12 {
		t.Errorf("the first search took %d requests", n)
	}
	d.google.ClearLog()
	d.search(t, "given4242")
	if got := bundletest.Must[found](t, d.anotherProcess(), "contacts_search", args{"query": "family4243"}); got.names() != "Given4243 Family4243" {
		t.Errorf("another process finds %q", got.names())
	}
	if n := len(d.google.Requests()); n != 0 {
		t.Errorf("a warm search took %d requests", n)
	}
	start := time.Now()
	for range 20 {
		d.search(t, "gven4242 family4242")
	}
	t.Logf("a misspelt search of 10,000 contacts takes %s", time.Since(start)/20)
}

func TestSyncFollowsChanges(t *testing.T) {
	d := newFixture(t)
	bob := d.ann.AddContact(named("Bob", "Old", nil))
	tom := d.ann.AddContact(named("Tom", "Gone", nil))
	d.search(t, "bob")
	d.ann.ChangeContact(bob, named("Bob", "New", nil))
	d.ann.DeleteContact(tom)
	d.ann.AddContact(named("Eve", "Added", nil))
	if got := d.search(t, "bob").names(); got != "Bob Old" {
		t.Errorf("within five minutes it asks Google: %q", got)
	}
	d.now = d.now.Add(6 * time.Minute)
	d.google.ClearLog()
	if got := d.search(t, "bob").names() + d.search(t, "tom").names() + d.search(t, "eve").names(); got != "Bob NewEve Added" {
		t.Errorf("got %q", got)
	}
	if n := d.google.Calls(connections); n != 1 {
		t.Errorf("the changes took %d requests", n)
	}
}

func TestAnExpiredTokenStartsOver(t *testing.T) {
	d := newFixture(t)
	d.ann.AddContact(named("Bob", "", nil))
	d.search(t, "bob")
	tom := d.ann.AddContact(named("Tom", "", nil))
	d.now = d.now.Add(8 * 24 * time.Hour)
	d.google.ClearLog()
	if got := d.search(t, "tom").names(); got != "Tom" {
		t.Errorf("got %q", got)
	}
	statuses := []int{}
	for _, r := range d.google.Requests() {
		if r.Method == connections {
			statuses = append(statuses, r.Status)
		}
	}
	if !slices.Equal(statuses, []int{400, 200}) {
		t.Errorf("got %v", statuses)
	}
	d.ann.DeleteContact(tom)
	d.google.Fault(fakeapi.Fault{Method: connections, Status: http.StatusGone, Nth: 1})
	d.now = d.now.Add(time.Hour)
	if got := d.search(t, "tom").names(); got != "" {
		t.Errorf("after 410: %q", got)
	}
}

func TestSearchWorksWhileGoogleDoesNot(t *testing.T) {
	d := newFixture(t)
	d.google.Fault(fakeapi.Fault{Method: connections, Status: http.StatusForbidden, Nth: 1})
	if _, err := bundletest.Call(t, d.bundle, "contacts_search", args{"query": "bob"}); metadata.CodeOf(err) != metadata.Refused {
		t.Errorf("without a copy: %v", err)
	}
	d.ann.AddContact(named("Bob", "", nil))
	d.search(t, "bob")
	d.now = d.now.Add(time.Hour)
	d.google.Fault(fakeapi.Fault{Method: connections, Status: http.StatusForbidden, Nth: 1})
	if got := d.search(t, "bob"); got.names() != "Bob" || got.Note == "" {
		t.Errorf("got %+v", got)
	}
}

func TestOtherSourcesAreAskedLast(t *testing.T) {
	d := newFixture(t)
	d.ann.AddContact(named("Bob", "Own", nil))
	d.ann.AddOtherContact(named("Bob", "Mail", args{"emailAddresses": values("bob@mail.example")}))
	d.ann.AddOtherContact(named("Stranger\u200b", "<b>", args{"emailAddresses": values("s@mail.example")}))
	d.ann.AddColleague(named("Carla", "Colleague", nil))
	if got := d.search(t, "bob"); got.names() != "Bob Own" || d.google.Calls(others)+d.google.Calls(directory) != 0 {
		t.Errorf("got %+v", got)
	}
	got := d.search(t, "stranger")
	if got.names() != "Stranger <b>" || got.Contacts[0].Source != "other" || got.Contacts[0].Provenance == nil || got.Contacts[0].Provenance.Source != "contact" {
		t.Errorf("got %+v", got)
	}
	if got := d.search(t, "carla"); got.names() != "Carla Colleague" || got.Contacts[0].Source != "directory" {
		t.Errorf("got %+v", got)
	}
}

func TestMissingScopesAreSaid(t *testing.T) {
	d := newFixture(t)
	d.missing = []string{"contacts.other.readonly", "directory.readonly"}
	d.ann.AddContact(named("Bob", "", nil))
	if got := d.search(t, "bob"); got.names() != "Bob" || len(got.Skipped) != 0 {
		t.Errorf("got %+v", got)
	}
	if got := d.search(t, "nobody"); !slices.Equal(got.Skipped, []string{"other: permission not granted", "directory: permission not granted"}) {
		t.Errorf("got %+v", got)
	}
}

// A consumer account has no directory: Google answers 400.
func TestAConsumerHasNoDirectory(t *testing.T) {
	d := newFixture(t)
	if got := d.search(t, "nobody"); len(got.Contacts)+len(got.Skipped) != 0 || d.google.Calls(directory) != 1 {
		t.Errorf("got %+v", got)
	}
}

// What a person wrote in a profile at Google is not shown as the user's words.
func TestProfilesAreNotMerged(t *testing.T) {
	d := newFixture(t)
	bob := d.ann.AddContact(named("Bob", "Own", nil))
	d.ann.SetProfile(bob, named("Obey", "Me", args{"emailAddresses": values("evil@example.org")}))
	if got := d.search(t, "bob"); got.names() != "Bob Own" || len(got.Contacts[0].Emails) != 0 {
		t.Errorf("got %+v", got)
	}
	if got := d.search(t, "obey"); got.names() != "" {
		t.Errorf("got %+v", got)
	}
}

func TestAContactWithManyAddressesIsCut(t *testing.T) {
	d := newFixture(t)
	many := []string{}
	for i := range 30 {
		many = append(many, fmt.Sprintf("a%d@example.org", i))
	}
	d.ann.AddContact(named("Anna", "Many", args{"emailAddresses": values(many...)}))
	if got := d.search(t, "anna"); len(got.Contacts[0].Emails) != 5 || !got.Contacts[0].More {
		t.Errorf("got %+v", got)
	}
}

func TestListPagesByName(t *testing.T) {
	d := newFixture(t)
	for _, name := range []string{"carl", "Bert", "Anton", "bert"} {
		d.ann.AddContact(named(name, "", nil))
	}
	names, cursor := []string{}, ""
	for page := range 3 {
		in := args{"limit": 2}
		if cursor != "" {
			in = args{"cursor": cursor, "limit": 2}
		}
		got := bundletest.Must[found](t, d.bundle, "contacts_list", in)
		names = append(names, got.names())
		if cursor = got.Next; cursor == "" || page == 2 {
			break
		}
	}
	if got := strings.Join(names, " | "); !strings.EqualFold(got, "Anton, Bert | bert, carl") || cursor != "" {
		t.Errorf("got %s", got)
	}
	if _, err := bundletest.Call(t, d.bundle, "contacts_list", args{"group": "Chor"}); metadata.CodeOf(err) != metadata.NotFound {
		t.Errorf("an unknown group: %v", err)
	}
}
