package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var root = filepath.Join("..", "..")

func TestTheReferenceOfMessagesIsTheSource(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "reference", "messages.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page), written(t, root)); diff != "" {
		t.Errorf("docs/reference/messages.md is out of date; `make docs` writes it (-page +source):\n%s", diff)
	}
}

func TestMessagesAreFound(t *testing.T) {
	folder := t.TempDir()
	for name, source := range map[string]string{
		"cmd/kota/main.go": "package main\n\nimport \"kota/greeting\"\n\n" + `func main() {
			var flag = cmd.Flags().Bool("now", false, "do it now")
			switch greeting.Say() { case "of a case": return errors.New("nobody " + name + " is here") }
			log.Warn("a line\nof the log")
			panic("not for readers")
		}`,
		"cmd/kota/main_test.go": "package main\n\nvar text = `of a test`\n",
		"cmd/other/main.go":     "package main\n\nvar text = `of another program`\n",
		"greeting/greeting.go": "package greeting\n\n" + "type in struct {\n\tName string `json:\"name\" doc:\"whom to greet\"`\n}\n" + `
			var action = Action{Summary: "Say hello.", Aliases: Aliases{"greet welcome"}, Notes: []string{"Twice is allowed."}}
			var asked = bundles.Deletion{What: "all greetings"}
			var query = "SELECT id FROM greetings"
			func fail() error { return metadata.Errorf(Code, "%s: %d", a, b).WithHint("Try ` + "`kota greet`" + `.") }`,
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := `
## cmd/kota

- error: ` + "`nobody … is here`" + ` (main.go)
- help: ` + "`do it now`" + ` (main.go)
- log: ` + "`a line ⏎ of the log`" + ` (main.go)

## greeting

- hint: ` + "`` Try `kota greet`. ``" + ` (greeting.go)
- question: ` + "`all greetings`" + ` (greeting.go)
- description: ` + "`Say hello.`" + ` (greeting.go)
- argument: ` + "`whom to greet`" + ` (greeting.go)
- text: ` + "`Twice is allowed.`" + ` (greeting.go)
`
	if diff := cmp.Diff(want, strings.TrimPrefix(written(t, folder), head)); diff != "" {
		t.Errorf("the messages differ (-want +got):\n%s", diff)
	}
}

func written(t *testing.T, root string) string {
	t.Helper()
	var page bytes.Buffer
	if err := write(&page, root); err != nil {
		t.Fatal(err)
	}
	return page.String()
}
