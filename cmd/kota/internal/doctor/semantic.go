package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/store/semantic"
)

// examineSemanticSearch checks the search by meaning, if it is set up.
func examineSemanticSearch(a *app.App, ctx context.Context) []Finding {
	if a.Semantic == nil {
		return nil
	}
	e := a.Config.Embeddings
	f := Finding{Check: "meaning"}
	model, err := a.Semantic.Client.Check(ctx)
	if err != nil {
		f.Saw, f.Remedy = err.Error(), semanticRemedy(err, e)
		return []Finding{f}
	}
	f.OK = true
	f.Saw = fmt.Sprintf("%s at %s: %d dimensions; similarity of right answers %.2f, of wrong ones %.2f; the threshold is %.2f",
		e.Model, e.Endpoint, model.Size, model.Related, model.Unrelated, model.Minimum)
	if !e.Memories {
		f.Saw += "; memories are not sent there"
	}
	return []Finding{f}
}

// semanticRemedy says what to do about an endpoint that does not work.
func semanticRemedy(err error, e config.Embeddings) string {
	problem := (*semantic.Error)(nil)
	if !errors.As(err, &problem) {
		return "Run it again."
	}
	switch problem.Status {
	case 0:
		return "Start the program behind search.embeddings.endpoint (Ollama: ollama serve), or correct the address."
	case http.StatusUnauthorized, http.StatusForbidden:
		return "Set KOTA_EMBEDDINGS_KEY to a key of that endpoint in the environment of KOTA."
	case http.StatusNotFound:
		return fmt.Sprintf("Fetch the model (Ollama: ollama pull %s), or correct search.embeddings; the endpoint ends in /v1.", e.Model)
	case http.StatusOK:
		return "Choose another search.embeddings.model: one that is made for embeddings."
	}
	return "Read the log of the program behind the endpoint."
}
