package daily

import (
	"context"

	"kota/bundles"
	"kota/bundles/internal/kept"
	"kota/metadata"
	"kota/store"
)

type logIn struct {
	Text string `json:"text" doc:"what happened"`
	Type string `json:"type,omitempty" default:"note" doc:"note, journal, food, drink, snack, supplement, activity, training, health, or your own"`
	Key  string `json:"idempotency_key,omitempty" doc:"any text naming this call"`
}

type logOut struct {
	Date     string   `json:"date"`
	Day      string   `json:"day"`           // in words
	Why      string   `json:"why,omitempty"` // why it is not the date that clocks show
	IDs      []string `json:"ids"`
	Repeated bool     `json:"repeated,omitempty"` // an earlier call with the key logged it
}

func (d *daily) logAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "log", Effect: metadata.Writes,
		Summary: "Log what happened.",
		Tags:    []string{"journal", "diary", "track"},
		Phrases: []string{
			"log that I ran five kilometres", "I had soup for lunch", "note in my journal", "write in my diary", "track my mood", "schrijf in mijn dagboek",
			"trag das ins Tagebuch ein", "note dans mon journal",
		},
		Examples: []metadata.Example{{Title: "A note", Args: logIn{Text: "Called the landlord about the roof"}}},
		Errors:   []metadata.Code{metadata.ValidationError, metadata.Conflict, metadata.TooLarge},
	}, d.log)
}

func (d *daily) log(ctx context.Context, in logIn) (logOut, error) {
	diary, err := d.diary(ctx)
	if err != nil {
		return logOut{}, err
	}
	now := d.Now().In(d.Zone())
	date, why := d.dayOf(now)
	logged, err := diary.Log(ctx, store.Logging{
		Entries: []store.DayEntry{{Date: date, Moment: now, Zone: now.Location().String(), Type: in.Type, Text: in.Text}}, Key: in.Key,
	})
	if err != nil {
		return logOut{}, kept.Explain(err)
	}
	out := logOut{Date: date, Day: weekday(date), Why: why, IDs: []string{}, Repeated: logged.Repeated}
	for _, e := range logged.Entries {
		out.IDs = append(out.IDs, e.ID)
	}
	return out, nil
}
