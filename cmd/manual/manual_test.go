package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// Every command of the reference has a page with its usage, its flags and its
// examples, and the overview names it.
func TestEveryCommandHasPage(t *testing.T) {
	folder := t.TempDir()
	if err := write(folder, "1.2.3", root); err != nil {
		t.Fatal(err)
	}
	reference, err := os.ReadFile(filepath.Join(root, "docs", "reference", "cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	overview := readPage(t, folder, "kota.1")
	pages, flags := 0, 0
	name, title := "", ""
	for line := range strings.Lines(string(reference)) {
		line = strings.TrimSuffix(line, "\n")
		if command, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " kota "); ok && strings.HasPrefix(line, "##") {
			title = "kota-" + strings.ReplaceAll(command, " ", "-")
			name = readPage(t, folder, title+".1")
			pages++
			if !strings.Contains(overview, `.BR `+escape(title)+" (1)") || !strings.Contains(overview, ".B kota "+escape(command)+"\n") {
				t.Errorf("kota.1 does not name %s", title)
			}
			continue
		}
		if found := flagLine.FindStringSubmatch(line); found != nil && name != "" {
			flags++
			if !strings.Contains(name, ".B "+escape(found[1])+"\n"+inline(found[2])+"\n") {
				t.Errorf("%s.1 lacks the flag %s", title, found[1])
			}
		}
	}
	if pages < 40 || flags < 60 {
		t.Errorf("%d pages and %d flags were checked, want more", pages, flags)
	}
	if !strings.Contains(overview, ".B KOTA_HOME\n") || !strings.Contains(overview, "kota 1.2.3") {
		t.Errorf("kota.1 lacks the variables or the version:\n%s", overview)
	}
}

func readPage(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// groff formats every page without a warning.
func TestPagesHaveNoRoffErrors(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("not checked here: groff is not installed")
	}
	folder := t.TempDir()
	if err := write(folder, "1.2.3", root); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil || len(pages) < 40 {
		t.Fatalf("%v: %d pages", err, len(pages))
	}
	for _, page := range pages {
		output, problems := format(t, groff, page)
		if problems != "" || !strings.Contains(output, "DESCRIPTION") {
			t.Errorf("%s: %s", filepath.Base(page), problems)
		}
	}
}

// format returns a page as a terminal shows it, and the warnings of groff.
func format(t *testing.T, groff, page string) (output, problems string) {
	t.Helper()
	var out, warnings strings.Builder
	cmd := exec.Command(groff, "-man", "-Tutf8", "-k", "-ww", "-P-cbou", page)
	cmd.Stdout, cmd.Stderr = &out, &warnings
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v", page, err)
	}
	return out.String(), warnings.String()
}

// Text that looks like roff is shown as it is.
func TestHostileTextStaysText(t *testing.T) {
	p := page{
		name: "kota x", usage: "kota x [FILE]",
		description: []string{".so /etc/passwd\n'br\nA \\fBback\\fR slash, a `kota x --y` and it's all.", "  .nf\n  'kept'  as it is"},
		examples:    []string{".TH EVIL 1", `kota x 'a\nb'`}, options: []option{{"--a FILE", ".sh"}},
	}
	got := p.roff(nil, "1")
	for _, want := range []string{
		"\n\\&.so /etc/passwd\n", "\n\\&'br\n", `A \efBback\efR slash, a \fBkota x \-\-y\fR`, "\n  .nf\n", "\n\\&.TH EVIL 1\n", "\nkota x 'a\\enb'\n", "\n\\&.sh\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
}

func TestDamagedReferenceIsRefused(t *testing.T) {
	const block = "## kota x\n\n```text\nDo x.\n\nkota x\n```\n"
	for name, c := range map[string]struct{ text, says string }{
		"empty":             {"", "0 of 0 commands"},
		"no block":          {block + "\n## kota y\n\ntext\n", "1 of 2 commands"},
		"no usage":          {"## kota x\n\n```text\nDo x.\n```\n", "kota x has no usage"},
		"a line without it": {"## kota x\n\n```text\nDo x.\n\nkota x\n\nlost\n```\n", `"lost"`},
	} {
		if _, err := parse(c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
	if pages, err := parse(block); err != nil || len(pages) != 1 || pages[0].summary() != "Do x" {
		t.Errorf("%+v, %v", pages, err)
	}
}
