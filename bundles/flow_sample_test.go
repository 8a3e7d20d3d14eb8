package bundles_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"kota/bundles"
	"kota/metadata"
)

// shelf keeps flows in memory as the store does on disk.
type shelf struct {
	mu       sync.Mutex
	kept     map[string]*keptStage
	order    []string
	failSave func(stage string) error // nil: none fails
}

type keptStage struct {
	flow, stage string
	state       json.RawMessage
	version     int64
	over        bool
}

func (s *shelf) Open(_ context.Context, flow, stage string, state json.RawMessage) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	handle := fmt.Sprintf("s_%010d", len(s.kept))
	s.kept[handle] = &keptStage{flow, stage, state, 1, false}
	s.order = append(s.order, handle)
	return handle, nil
}

func (s *shelf) Get(_ context.Context, handle string) (flow, stage string, state json.RawMessage, version int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.kept[handle]
	if !ok {
		return "", "", nil, 0, metadata.Errorf(metadata.NotFound, "no %s", handle)
	}
	return k.flow, k.stage, k.state, k.version, nil
}

func (s *shelf) Save(_ context.Context, handle, stage string, state json.RawMessage, version int64, last bool) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.kept[handle]
	switch {
	case s.failSave != nil && s.failSave(stage) != nil:
		return 0, s.failSave(stage)
	case k == nil:
		return 0, metadata.Errorf(metadata.NotFound, "no %s", handle)
	case k.version != version || k.over:
		return 0, metadata.Errorf(metadata.Conflict, "%s is at %d", handle, k.version)
	}
	k.stage, k.state, k.version, k.over = stage, state, version+1, last
	return k.version, nil
}

func (s *shelf) Pending(_ context.Context, flow string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pending := []string{}
	for _, handle := range slices.Backward(s.order) {
		if k := s.kept[handle]; k != nil && k.flow == flow && !k.over {
			pending = append(pending, handle)
		}
	}
	return pending, nil
}

// A desk makes toasts and menus, by a flow.
type desk struct {
	*shelf
	mu    sync.Mutex
	made  []bundles.Document
	byKey map[string]int
	fail  error // of Create
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

func newDesk() *desk {
	return &desk{shelf: &shelf{kept: map[string]*keptStage{}}, byKey: map[string]int{}}
}

func (d *desk) flow() bundles.Flow {
	return bundles.Flow{
		Action: metadata.Action{Name: "write", Summary: "Write a toast or a menu."},
		Stages: d.shelf, Settle: d.settle, Create: d.create,
		Types: []bundles.DocumentType{
			{
				Name: "toast", Line: "a speech at the table", Fields: bundles.FieldsOf[toastFields](),
				Instructions: "Ask whom it is for.",
				Template:     "# To {{.to}}, {{.period}}\n\n{{list .merits}}\n\n{{range .guests}}{{.}} is there. {{end}}{{.length}} min",
				Knows: func(context.Context, bundles.Document) (map[string]any, error) {
					return map[string]any{"guests": []string{"Ida"}}, nil
				},
				Example: bundles.DocumentExample{
					Period: "2026-11-20", Answers: toastFields{To: "Anna", Merits: []string{"she came"}, Length: 3},
					Knows: map[string]any{"guests": []string{"Ida"}}, Created: bundles.Created{ID: "d1", Title: "To Anna"},
				},
			},
			{
				Name: "menu", Line: "what is served", Fields: bundles.FieldsOf[menuFields](), Instructions: "List the dishes.",
				Template: "{{list .dishes}} {{.wine}}",
				Example:  bundles.DocumentExample{Period: "2026-11-20", Answers: menuFields{Wine: "red"}},
			},
		},
	}
}

func (d *desk) settle(_ context.Context, doc *bundles.Document) error {
	switch {
	case doc.Period == "" || doc.Period == "today":
		if doc.Type != "" {
			doc.Period = "2026-11-20"
		}
	case !strings.HasPrefix(doc.Period, "2026-"):
		return metadata.Invalid([]metadata.Problem{{Path: "period", Expected: "a day", Got: doc.Period}}).WithHint("Say a day.")
	}
	return nil
}

func (d *desk) create(_ context.Context, doc bundles.Document) (bundles.Created, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail != nil {
		return bundles.Created{}, d.fail
	}
	n, there := d.byKey[doc.Key]
	if !there || doc.Key == "" {
		d.made = append(d.made, doc)
		n = len(d.made)
		d.byKey[doc.Key] = n
	}
	title := doc.Title
	if title == "" {
		title = strings.TrimPrefix(strings.SplitN(doc.Body, ",", 2)[0], "# ")
	}
	return bundles.Created{ID: fmt.Sprintf("d%d", n), Title: title, Repeated: there && doc.Key != ""}, nil
}

// call runs one call of the flow and returns its answer.
func (d *desk) call(t testing.TB, args string) bundles.StagedAnswer {
	t.Helper()
	out, err := d.try(t.Context(), args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return out
}

func (d *desk) try(ctx context.Context, args string) (bundles.StagedAnswer, error) {
	call, err := bundles.BindFlow(d.flow()).Prepare(json.RawMessage(args))
	if err != nil {
		return bundles.StagedAnswer{}, err
	}
	out, err := call.Do(ctx)
	return out.(bundles.StagedAnswer), err
}
