package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"kota/bundles/daily"
	"kota/metadata"
	"kota/store"
)

// consult runs an action of another bundle for the daily one and decodes its
// answer. It goes through the router, as every call does, so that what is off,
// hidden or not granted stays so: TOOL_NOT_FOUND says the first two.
func (a *app) consult(ctx context.Context, bundle, tool string, args, answer any) error {
	if err := a.offers(bundle, tool); err != nil {
		return err
	}
	given, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("ask %s: %w", tool, err)
	}
	out, err := a.serving.Load().Call(ctx, tool, given)
	if metadata.CodeOf(err) == metadata.SignInRequired && !a.severalAccounts(0) {
		return metadata.Errorf(metadata.SignInRequired, "%s", a.signInMissing())
	}
	if err != nil {
		return err
	}
	raw, err := metadata.Plain(out)
	if err == nil {
		err = json.Unmarshal(raw, answer)
	}
	if err != nil {
		return fmt.Errorf("read what %s answers: %w", tool, err)
	}
	return nil
}

// offers returns nil when calls may use the tool of that bundle, else
// TOOL_NOT_FOUND with the reason.
func (a *app) offers(bundle, tool string) error {
	if !a.config.Bundles[bundle].Enabled {
		return metadata.Errorf(metadata.ToolNotFound, "%s is off", bundle).
			WithHint("The user can switch it on with `kota bundles enable %s`.", bundle)
	}
	router := a.serving.Load()
	if router == nil {
		return fmt.Errorf("ask %s: there is no router yet", tool)
	}
	if _, ok := router.Action(tool); !ok {
		return metadata.Errorf(metadata.ToolNotFound, "the profile %q does not show %s", a.config.Profile, bundle)
	}
	return nil
}

// severalAccounts reports whether more than so many accounts are signed in.
func (a *app) severalAccounts(than int) bool {
	all, err := a.accounts().List()
	return err != nil || len(all) > than
}

// anObject is the arguments of a call.
type anObject map[string]any

// A partFailed is an account or a calendar of several that could not be read.
type partFailed struct {
	Calendar, Account string
	Code              metadata.Code `json:"error"`
	Message           string
}

func (p partFailed) String() string {
	what := "account " + p.Account
	if p.Calendar != "" {
		what = "calendar " + p.Calendar
	}
	return what + ": " + string(p.Code) + ", " + p.Message
}

func unread(lists ...[]partFailed) []string {
	var said []string
	for _, one := range slices.Concat(lists...) {
		said = append(said, one.String())
	}
	return said
}

// dayEvents are the events of a day, of every calendar that is shown in Google
// Calendar, in all accounts.
func (a *app) dayEvents(ctx context.Context, date, zone string) (daily.Found[daily.Event], error) {
	var answer struct {
		Events []struct {
			Title, When, Location, Calendar, Type string
			MyAnswer                              string `json:"my_answer"`
			ShowAs                                string `json:"show_as"`
		}
		Next      string       `json:"next_cursor"`
		Calendars []partFailed `json:"calendar_errors"`
		Accounts  []partFailed `json:"account_errors"`
	}
	found := daily.Found[daily.Event]{}
	err := a.consult(ctx, "calendar", "calendar_list_events", anObject{
		"from": date, "to": date, "timezone": zone, "calendars": []string{"all"}, "account": "*", "limit": 100,
	}, &answer)
	if err != nil {
		return found, err
	}
	for _, e := range answer.Events {
		when, ends := onDay(e.When, date)
		found.Items = append(found.Items, daily.Event{
			When: when, Ends: ends, Title: e.Title, Location: e.Location, Calendar: e.Calendar, MyAnswer: e.MyAnswer,
			Aside: e.ShowAs == "free" || e.Type == "birthday" || e.Type == "working_location",
		})
	}
	if answer.Next != "" {
		found.More = 1
	}
	found.Unread = unread(answer.Calendars, answer.Accounts)
	return found, nil
}

// onDay shortens when an event is, as the calendar says it, for somebody who
// knows the date and the zone, and reads when it ends: the zero time for whole
// days.
func onDay(when, date string) (short string, ends time.Time) {
	var day, clock, offset string
	for _, word := range strings.Fields(strings.NewReplacer("–", " ", ",", " ").Replace(when)) {
		switch {
		case is(time.DateOnly, word):
			day = word
		case is("15:04", word):
			clock = word
		case is("-07:00", word):
			offset = word
		}
	}
	if at, err := time.Parse("2006-01-02 15:04 -07:00", day+" "+clock+" "+offset); err == nil {
		ends = at
	}
	if day != date || strings.Contains(when, " – ") {
		return when, ends // it lasts several days
	}
	_, short, _ = strings.Cut(when, date)
	return strings.TrimLeft(strings.TrimSuffix(short, " "+offset), ", "), ends
}

func is(layout, word string) bool {
	_, err := time.Parse(layout, word)
	return err == nil
}

// An inboxRow is a row of what gmail_search_messages finds.
type inboxRow struct {
	Account, ID, Date, From, Subject string
	Labels                           []string
}

// dayMail is what is unread in the inboxes: starred and important mail first,
// mail to many last.
func (a *app) dayMail(ctx context.Context) (daily.Found[daily.Mail], error) {
	var answer struct {
		Messages []inboxRow
		Total    int          `json:"total_estimate"`
		Next     string       `json:"next_cursor"`
		Accounts []partFailed `json:"account_errors"`
	}
	found := daily.Found[daily.Mail]{}
	err := a.consult(ctx, "gmail", "gmail_search_messages", anObject{"query": "in:inbox is:unread", "account": "*", "limit": 50}, &answer)
	if err != nil {
		return found, err
	}
	slices.SortStableFunc(answer.Messages, func(a, b inboxRow) int { return cmp.Compare(urgency(a.Labels), urgency(b.Labels)) })
	several := a.severalAccounts(1)
	for _, m := range answer.Messages {
		mail := daily.Mail{ID: m.ID, From: named(m.From), Subject: m.Subject}
		mail.At, _ = time.Parse(time.RFC3339, m.Date) // "" when it is not known
		if several {
			mail.Account = m.Account
		}
		found.Items = append(found.Items, mail)
	}
	if answer.Next != "" {
		found.More = max(1, answer.Total-len(answer.Messages))
	}
	found.Unread = unread(answer.Accounts)
	return found, nil
}

// named is a sender by name where there is one, else by address.
func named(from string) string {
	name, _, _ := strings.Cut(from, " <")
	return cmp.Or(strings.Trim(name, `" `), from)
}

// urgency orders mail by its labels, the lower the sooner.
func urgency(labels []string) int {
	has := func(names ...string) bool {
		return slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(names, strings.ToUpper(label)) })
	}
	switch {
	case has("STARRED"):
		return 0
	case has("IMPORTANT"):
		return 1
	case has("CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "CATEGORY_FORUMS", "CATEGORY_UPDATES"):
		return 3
	}
	return 2
}

// mostDue is how many memories that expire are read.
const mostDue = 20

// dayMemories are the memories that expire before a time. No action lists them
// so; the store does, where listing is allowed.
func (a *app) dayMemories(ctx context.Context, until time.Time) (daily.Found[daily.Memory], error) {
	found := daily.Found[daily.Memory]{}
	if err := a.offers("memory", "memory_list"); err != nil {
		return found, err
	}
	db, err := a.openDB(ctx)
	if err != nil {
		return found, err
	}
	due, next, err := db.Memories("local").List(ctx, store.Filter{Ending: until}, store.Page{Order: store.Newest, Limit: mostDue})
	if err != nil {
		return found, err
	}
	slices.SortStableFunc(due, func(a, b *store.Memory) int { return a.Expires.Compare(b.Expires) })
	for _, m := range due {
		text := string(m.Value)
		if said := ""; json.Unmarshal(m.Value, &said) == nil {
			text = said
		}
		found.Items = append(found.Items, daily.Memory{Key: m.Key, Text: text, Ends: m.Expires})
	}
	if next != "" {
		found.More = 1
	}
	return found, nil
}
