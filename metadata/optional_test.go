package metadata_test

import (
	"encoding/json"
	"testing"

	"kota/metadata"
)

type meal struct {
	Dish  string   `json:"dish" alias:"food" min:"2" doc:"what is eaten"`
	Guest []string `json:"guest" max:"2"`
	Hour  int      `json:"hour,omitempty" default:"19" min:"0" max:"23"`
}

func TestOptionalAcceptsPartOfArguments(t *testing.T) {
	whole, err := metadata.Infer[meal]()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := whole.MarshalJSON()
	part := whole.Optional()
	for args, want := range map[string]string{
		`{}`:                           `{}`,
		`{"guest": "Ann"}`:             `{"guest":["Ann"]}`,
		`{"food": "rice"}`:             `{"dish":"rice"}`,
		`{"hour": "20", "dish": null}`: `{"hour":20}`,
	} {
		got := map[string]json.RawMessage{}
		if err := part.Decode(json.RawMessage(args), &got); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if raw, err := json.Marshal(got); string(raw) != want || err != nil {
			t.Errorf("%s became %s, %v; want %s", args, raw, err, want)
		}
	}
	for _, args := range []string{`{"dish": "x"}`, `{"hour": 24}`, `{"guest": ["a", "b", "c"]}`, `{"drink": "tea"}`} {
		if err := part.Decode(json.RawMessage(args), &map[string]json.RawMessage{}); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%s: got %v", args, err)
		}
	}
	if after, _ := whole.MarshalJSON(); string(after) != string(before) {
		t.Errorf("the whole became %s", after)
	}
}

func TestWithoutAcceptsOtherSpellingsOfTheRest(t *testing.T) {
	whole, err := metadata.Infer[meal]()
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string]string{"dish": `{"Guest": ["Ann"], "Hour": 20}`, "hour": `{"food": "rice", "GUEST": ["Ann"]}`} {
		if err := whole.Without(name).Decode(json.RawMessage(args), &meal{}); err != nil {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for _, args := range []string{`{"dish": "rice", "guest": [], "Hour": 20}`, `{"dish": "rice", "guest": [], "hours": 20}`} {
		if err := whole.Without("hour").Decode(json.RawMessage(args), &meal{}); metadata.CodeOf(err) != metadata.ValidationError {
			t.Errorf("%s: got %v", args, err)
		}
	}
}
