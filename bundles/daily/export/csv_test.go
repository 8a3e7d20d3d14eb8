package export

import (
	"strings"
	"testing"

	"kota/store"
)

// No cell runs as a formula, and characters that people cannot see are removed.
func TestCSVCellIsNeverAFormula(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+49 30": "'+49 30", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "a=1": "a=1", "": "", "\u200b=1+1": "'=1+1", "a\u202eb": "ab",
	} {
		var out strings.Builder
		w := newCSVWriter(&out)
		w.entry(&store.DayEntry{Row: store.Row{ID: "e1"}, Date: "2026-11-20", Type: "note", Text: text})
		if err := w.end(); err != nil || !strings.HasPrefix(out.String(), "e1,2026-11-20,,,note,,"+want+",") {
			t.Errorf("%q: got %q, %v", text, out.String(), err)
		}
	}
}
