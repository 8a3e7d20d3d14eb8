package config

import (
	"strings"
	"testing"
)

func TestTemplatesKeepTheirOrder(t *testing.T) {
	cfg, err := loadText(t, []byte(`templates:
  walk: {line: a walk}
  trip_report:
    line: where we went
    instructions: Ask for the cost.
    fields:
      moments: {doc: "the best, one each", type: list, required: true}
      cost: {doc: in euros, type: number}
      weather: how it was
    template: ["# {{.title}}", "", "{{list .moments}}"]
`))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, own := range cfg.Templates {
		names = append(names, own.Name)
	}
	if got := strings.Join(names, " "); got != "walk trip_report" {
		t.Fatalf("got %s", got)
	}
	trip := cfg.Templates[1]
	fields := []string{}
	for _, p := range trip.Fields.Params() {
		fields = append(fields, p.Name+":"+p.Type+" "+p.Description)
	}
	if got := strings.Join(fields, "; "); got != "moments:[str] the best, one each; cost:num in euros; weather:str how it was" {
		t.Errorf("fields: %s", got)
	}
	if trip.Template != "# {{.title}}\n\n{{list .moments}}" || trip.Instructions != "Ask for the cost." || cfg.Templates[0].Instructions == "" {
		t.Errorf("got %+v", cfg.Templates)
	}
}
