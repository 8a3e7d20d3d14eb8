package gmail

import (
	"io"

	"kota/bundles/internal/readable"
)

// textOfHTML returns what a person sees of HTML, as Markdown.
func textOfHTML(html string) string {
	return readable.HTML([]byte(html), readable.Options{}).Markdown
}

// visible returns text without characters that show nothing.
func visible(text string) string {
	clean, _ := readable.Text(text)
	return clean
}

// readAll returns what r holds, or else as it was.
func readAll(r io.Reader, otherwise []byte) []byte {
	all, err := io.ReadAll(r)
	if err != nil {
		return otherwise
	}
	return all
}
