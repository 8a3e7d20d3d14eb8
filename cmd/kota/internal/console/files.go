package console

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"kota/bundles/memory"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/console/view"
	"kota/entrypoint"
	"kota/metadata"
)

// showImport shows how to bring memories in and out.
func (q *request) showImport() error {
	return q.show(http.StatusOK, "Import and export", "memory", func(p view.Page) templ.Component { return view.Import(p, q.jobs.of(q.Person) != nil) })
}

// importMemories imports the file of the form, or says what an import would do.
func (q *request) importMemories() error {
	file, err := q.uploaded("file")
	if err != nil {
		return err
	}
	rule, dryRun := cmp.Or(q.r.PostForm.Get("rule"), memory.Skip), q.r.PostForm.Get("act") == "try"
	if !slices.Contains(memory.ConflictRules, rule) {
		return metadata.Errorf(metadata.ValidationError, "for a name that exists, choose %s", strings.Join(memory.ConflictRules, ", "))
	}
	title := "Importing memories"
	if dryRun {
		title = "Checking what an import would do"
	} else if err := q.app.Policy().Permit("kota memory import", metadata.Writes); err != nil {
		return err
	}
	return q.start(title, "memory", func(ctx context.Context, a *app.App, step func(done, total int)) (string, error) {
		memories, err := a.Memories(ctx)
		if err != nil {
			return "", err
		}
		var counts memory.ImportCounts
		err = a.RecordCommandBy(ctx, entrypoint.ByConsole, "kota memory import", metadata.Writes, func(ctx context.Context) (err error) {
			counts, err = memory.Import(ctx, memories, bytes.NewReader(file), rule, dryRun, a.Now(), step)
			return err
		})
		return importedText(counts, dryRun), err
	})
}

// importedText says what an import did, or would do.
func importedText(c memory.ImportCounts, dryRun bool) string {
	if dryRun {
		return fmt.Sprintf("The file has %s. An import would create %d, change %d and leave out %d. Nothing was written.", metadata.CountOf(c.Read, "memory"), c.Created, c.Updated, c.Skipped)
	}
	return fmt.Sprintf("%d created, %d changed, %d left as they were.", c.Created, c.Updated, c.Unchanged+c.Skipped)
}

// uploaded returns the content of a file of the form.
func (q *request) uploaded(name string) ([]byte, error) {
	file, _, err := q.r.FormFile(name)
	if err != nil {
		return nil, metadata.Errorf(metadata.ValidationError, "the form has no file").WithHint("Go back and choose one.")
	}
	defer file.Close()
	var content bytes.Buffer
	if _, err := content.ReadFrom(file); err != nil {
		return nil, err
	}
	if content.Len() == 0 {
		return nil, metadata.Errorf(metadata.ValidationError, "the file is empty, so nothing was imported")
	}
	return content.Bytes(), nil
}

// export answers with a file of all memories.
func (q *request) export() error {
	format := q.path[1]
	if !slices.Contains(memory.Formats, format) {
		return metadata.Errorf(metadata.NotFound, "KOTA exports as %s", strings.Join(memory.Formats, ", "))
	}
	memories, err := q.app.Memories(q.r.Context())
	if err != nil {
		return err
	}
	header := q.w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="memories-%s.%s"`, q.app.LocalNow().Format(time.DateOnly), format))
	if _, err := memory.Export(q.r.Context(), memories, q.w, format, func(int) {}); err != nil {
		q.app.Log.Error("an export ended early", "error", err)
		panic(http.ErrAbortHandler) // so that the browser does not take the part for the whole
	}
	return nil
}
