package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
	"kota/store/semantic"
	"kota/store/semantic/static"
)

// examineSemanticSearch checks the search by meaning, if it is set up.
func examineSemanticSearch(a *app.App, ctx context.Context) []Finding {
	if a.Semantic == nil {
		return nil
	}
	if a.Semantic.Local != nil {
		return []Finding{examineModel(ctx, a.Semantic.Local, a.Config.SearchModel)}
	}
	e := a.Config.Embeddings
	f := Finding{Check: "meaning"}
	model, err := semantic.Check(ctx, a.Semantic.Client)
	if err != nil {
		f.Saw, f.Remedy = err.Error(), semanticRemedy(err, e)
		return []Finding{f}
	}
	f.OK = true
	f.Saw = fmt.Sprintf("%s at %s: %d dimensions; %s", e.Model, e.Endpoint, model.Size, measured(model))
	if !e.Memories {
		f.Saw += "; memories are not sent there"
	}
	return []Finding{f}
}

// measured describes how well a model separates right answers from wrong ones.
func measured(m semantic.Model) string {
	return fmt.Sprintf("similarity of right answers %.2f, of wrong ones %.2f; the threshold is %.2f", m.Related, m.Unrelated, m.Minimum)
}

// examineModel reads a local model, and measures it. path is as configured.
func examineModel(ctx context.Context, local *static.Model, path string) Finding {
	f := Finding{Check: "meaning", Saw: path}
	info, err := local.Load(ctx)
	if err != nil {
		f.Saw, f.Remedy = path+": "+err.Error(), "Run `kota doctor` again."
		if problem := (*static.Error)(nil); errors.As(err, &problem) {
			f.Remedy = problem.Remedy
		}
		return f
	}
	f.Saw += fmt.Sprintf(": %d tokens, %d dimensions; %.1f MB on disk, %.1f MB in memory; ",
		info.Tokens, info.Dimensions, float64(info.FileBytes)/1e6, float64(info.MemoryBytes)/1e6)
	model, err := semantic.Check(ctx, local)
	if err != nil {
		f.Saw, f.Remedy = f.Saw+err.Error(), "Take model.safetensors and tokenizer.json from the same model, or choose a model for English texts, such as potion-base-8M."
		return f
	}
	f.OK, f.Saw = true, f.Saw+measured(model)
	return f
}

// semanticRemedy says what to do about an endpoint that does not work.
func semanticRemedy(err error, e config.Embeddings) string {
	problem := (*semantic.Error)(nil)
	if !errors.As(err, &problem) {
		return "Run `kota doctor` again."
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
