package briefing

import (
	"context"
	"encoding/json"
	"fmt"

	"kota/bundles"
	"kota/bundles/daily/internal/days"
	"kota/bundles/daily/internal/document"
	"kota/bundles/daily/sources"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/htmltext"
	"kota/bundles/internal/persist"
	"kota/bundles/internal/untrusted"
	"kota/store"
)

// An openItem is something that a day has left open.
type openItem struct {
	What string `json:"what"`
	ID   string `json:"id,omitempty"`   // of the entry or the review; "" for a flow
	Next string `json:"next,omitempty"` // the call that closes it

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // if others wrote the text, or may have
}

func (r openItem) rank() int                         { return 0 }
func (r openItem) provenance() *untrusted.Provenance { return r.Provenance }

// openTags are the tags of entries that wait for something.
var openTags = [...]string{"open", "waiting", "todo", "followup"}

const maxOpenItems = 10

// openItemsSource returns a source of what a day has left open: entries with an open tag, and
// the "next" field of the day's review. If the day has entries but no review, an item says so.
// For yesterday the unfinished flows are items too. Open tasks are not, because they carry over.
func (b *Briefer) openItemsSource(date string) briefSource[openItem] {
	return briefSource[openItem]{moreCall: fmt.Sprintf(`daily_get {"date":%q}`, date), ask: func(ctx context.Context) (sources.Found[openItem], error) {
		diary, err := b.Open(ctx)
		if err != nil {
			return sources.Found[openItem]{}, err
		}
		found := sources.Found[openItem]{}
		if today, _ := b.DayOf(b.Now().In(b.Zone())); days.AddDays(date, 1) == today {
			if err := b.addOpenFlows(ctx, &found); err != nil {
				return found, persist.Explain(err)
			}
		}
		err = b.addOpenEntries(ctx, diary, date, &found)
		return found, persist.Explain(err)
	}}
}

// addOpenFlows adds the unfinished flows. They belong to the present and not to another day.
func (b *Briefer) addOpenFlows(ctx context.Context, found *sources.Found[openItem]) error {
	stages, err := b.Stages(ctx)
	if err != nil {
		return err
	}
	pending, err := stages.Pending(ctx, document.FlowKey)
	for _, p := range pending {
		found.Items = append(found.Items, openItem{
			What: document.Title(p.State) + " was begun " + formatShort(p.Created, b.Now().In(b.Zone())) + " and not finished", Next: bundles.WithoutHiddenTools(ctx, fmt.Sprintf(`daily_review {"handle":%q}`, p.Handle)),
		})
	}
	return err
}

// addOpenEntries adds the entries with an open tag and the review of a day.
func (b *Briefer) addOpenEntries(ctx context.Context, diary Diary, date string, found *sources.Found[openItem]) error {
	day := store.EntryFilter{From: date, To: date}
	seen := map[string]bool{}
	for _, tag := range openTags {
		day.Tags = []string{tag}
		entries, _, err := diary.Entries(ctx, day, store.EntryPage{Limit: maxOpenItems})
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !seen[e.ID] {
				seen[e.ID] = true
				found.Items = append(found.Items, openItem{What: budget.Brief(htmltext.Line(e.Text), MaxTaskTokens), ID: e.ID, Provenance: untrusted.MarkDiary(ctx, e.Source)})
			}
		}
	}
	return b.addReview(ctx, diary, date, found)
}

// addReview adds the "next" field of the day's review. If the day has entries but no
// review, it adds an item that says so.
func (b *Briefer) addReview(ctx context.Context, diary Diary, date string, found *sources.Found[openItem]) error {
	reviews, err := diary.Documents(ctx, store.DocumentFilter{Type: "day_review", Period: date}, 1)
	if err != nil {
		return err
	}
	if len(reviews) > 0 {
		var review struct {
			Next string `json:"next"`
		}
		if err := json.Unmarshal(reviews[0].Fields, &review); err == nil && review.Next != "" {
			found.Items = append(found.Items, openItem{
				What: "for today: " + budget.Brief(htmltext.Line(review.Next), MaxTaskTokens), ID: reviews[0].ID, Provenance: untrusted.MarkDiary(ctx, reviews[0].Source),
			})
		}
		return nil
	}
	days, err := diary.Days(ctx, store.EntryFilter{From: date, To: date})
	if err == nil && len(days) > 0 {
		found.Items = append(found.Items, openItem{
			What: fmt.Sprintf("no review of the day (entries: %d)", days[0].Entries), Next: bundles.WithoutHiddenTools(ctx, fmt.Sprintf(`daily_review {"date":%q}`, date)),
		})
	}
	return err
}
