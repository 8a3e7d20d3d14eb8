package app

import (
	"encoding/json"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kota/cmd/kota/internal/tenant"
	"kota/cmd/kota/internal/term"
)

// What the bundles of other owners share with those of the operator is what they would have themselves.
func TestBundlesOfOwnersDescribeTheSame(t *testing.T) {
	home := t.TempDir()
	a := &App{Env: func(name string) string { return map[string]string{"KOTA_HOME": home}[name] }, Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	if _, err := a.Router(); err != nil {
		t.Fatal(err)
	}
	ann := a.ForOwner(tenant.Folder{Name: "ann", Path: filepath.Join(home, "owners", "ann")})
	own, shared := ann.buildBundles(), ann.Bundles()
	for i, b := range a.Bundles() {
		for j, action := range b.Actions {
			mine := own[i].Actions[j].Action
			examples, err := json.Marshal(mine.Examples) // the answers of some are functions
			want, wantErr := json.Marshal(action.Examples)
			mine.Examples, action.Examples = nil, nil
			if !reflect.DeepEqual(mine, action.Action) || string(examples) != string(want) || err != nil || wantErr != nil {
				t.Errorf("ann's %s describes something else: %v %v", action.Tool, err, wantErr)
			}
		}
		own[i].Bundle.Actions = b.Bundle.Actions
		if !reflect.DeepEqual(own[i].Bundle, b.Bundle) || len(b.Actions) == 0 {
			t.Errorf("ann's bundle %s describes something else", b.Key)
		}
		if &shared[i].Bundle.Actions[0] != &b.Bundle.Actions[0] || &shared[i].Actions[0] == &b.Actions[0] {
			t.Errorf("%s: ann shares the actions, or not the descriptions", b.Key)
		}
	}
}
