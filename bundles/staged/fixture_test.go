package staged_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"kota/bundles/bundletest"
	"kota/bundles/staged"
	"kota/metadata"
)

// A flowFixture has a flow that creates two types of document: a toast (a
// speech at the table) and a menu.
type flowFixture struct {
	stages    bundletest.Stages
	mu        sync.Mutex
	created   []staged.Document
	byKey     map[string]int
	createErr error // the error of Create
	userTypes func(context.Context) ([]staged.DocumentType, error)
}

type toastFields struct {
	To     string   `json:"to" min:"1" doc:"who is toasted"`
	Merits []string `json:"merits" alias:"deeds" doc:"one each"`
	Length int      `json:"length,omitempty" default:"3" min:"1" max:"9" doc:"minutes, 1 to 9"`
}

type menuFields struct {
	Dishes []string `json:"dishes,omitempty"`
	Wine   string   `json:"wine,omitempty"`
}

func newFlowFixture() *flowFixture {
	return &flowFixture{byKey: map[string]int{}}
}

func (d *flowFixture) flow() staged.Flow {
	return staged.Flow{
		Action: metadata.Action{Name: "write", Summary: "Write a toast or a menu."},
		Stages: &d.stages, Normalize: d.normalize, Create: d.create, UserTypes: d.userTypes,
		Types: []staged.DocumentType{
			{
				Name: "toast", Line: "a speech at the table", Fields: staged.FieldsOf[toastFields](),
				Instructions: "Ask whom it is for.",
				Template:     "# To {{.to}}, {{.period}}\n\n{{list .merits}}\n\n{{range .guests}}{{.}} is there. {{end}}{{.length}} min",
				Prefill: func(context.Context, staged.Document) (map[string]any, error) {
					return map[string]any{"guests": []string{"Ida"}}, nil
				},
				Example: staged.DocumentExample{
					Period: "2026-11-20", Answers: toastFields{To: "Anna", Merits: []string{"she came"}, Length: 3},
					Prefill: map[string]any{"guests": []string{"Ida"}}, Created: staged.CreateResult{ID: "d1", Title: "To Anna"},
				},
			},
			{
				Name: "menu", Line: "what is served", Fields: staged.FieldsOf[menuFields](), Instructions: "List the dishes.",
				Template: "{{list .dishes}} {{.wine}}",
				Example:  staged.DocumentExample{Period: "2026-11-20", Answers: menuFields{Wine: "red"}},
			},
		},
	}
}

func (d *flowFixture) normalize(_ context.Context, doc *staged.Document) error {
	switch {
	case doc.Period == "" || doc.Period == "today":
		if doc.Type != "" {
			doc.Period = "2026-11-20"
		}
	case strings.HasPrefix(doc.Period, "2026-W") && doc.Type != "toast":
		doc.Type = "menu" // of a week
	case !strings.HasPrefix(doc.Period, "2026-") || strings.Contains(doc.Period, "W"):
		return metadata.Invalid([]metadata.Problem{{Path: "period", Expected: "a day", Got: doc.Period}}).WithHint("Say a day.")
	}
	return nil
}

func (d *flowFixture) create(_ context.Context, doc staged.Document) (staged.CreateResult, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.createErr != nil {
		return staged.CreateResult{}, d.createErr
	}
	n, there := d.byKey[doc.Key]
	if !there || doc.Key == "" {
		d.created = append(d.created, doc)
		n = len(d.created)
		d.byKey[doc.Key] = n
	}
	title := doc.Title
	if title == "" {
		title = strings.TrimPrefix(strings.SplitN(doc.Body, ",", 2)[0], "# ")
	}
	return staged.CreateResult{ID: fmt.Sprintf("d%d", n), Title: title, Repeated: there && doc.Key != ""}, nil
}

// call runs one call of the flow and returns its answer.
func (d *flowFixture) call(t testing.TB, args string) staged.Answer {
	t.Helper()
	out, err := d.tryCall(t.Context(), args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return out
}

func (d *flowFixture) tryCall(ctx context.Context, args string) (staged.Answer, error) {
	call, err := staged.Bind(d.flow()).Prepare(json.RawMessage(args))
	if err != nil {
		return staged.Answer{}, err
	}
	out, err := call.Do(ctx)
	return out.(staged.Answer), err
}
