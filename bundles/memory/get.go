package memory

import (
	"context"
	"errors"
	"time"

	"kota/bundles"
	"kota/bundles/internal/budget"
	"kota/bundles/internal/untrusted"
	"kota/metadata"
	"kota/store"
)

type getIn struct {
	Query    string `json:"query" alias:"key,q,text,name" doc:"the key, or words about it"`
	Category string `json:"category,omitempty"`
	Limit    int    `json:"limit,omitempty" alias:"max_results,count" default:"1" min:"1" max:"20"`
	At       string `json:"at,omitempty" doc:"as it was then, by key: RFC 3339 or date"`
}

type getOut struct {
	Found      bool     `json:"found"`
	Confidence string   `json:"confidence" enum:"high,low,none"`
	Memories   []hit    `json:"memories"`             // the answer, best first
	Candidates []hit    `json:"candidates,omitempty"` // best first, if no memory clearly matches
	Nearest    []string `json:"nearest,omitempty"`    // keys, if nothing matches
	Note       string   `json:"note,omitempty"`       // why the search was incomplete

	Provenance *untrusted.Provenance `json:"provenance,omitempty"` // of nearest
}

// A hit is a memory and the reason why it was found.
type hit struct {
	view
	Why   string  `json:"why" enum:"exact,word,spelling,abbreviation,meaning"`
	Score float64 `json:"score"` // from 0 to 1
}

func (m *memory) getAction() bundles.Action {
	return bundles.Bind(metadata.Action{
		Name: "get", Effect: metadata.Reads,
		Summary:     "Recall a memory by its key or by words about it.",
		Description: "If none clearly matches, found is false, with candidates or the nearest keys.",
		Tags:        []string{"recall", "lookup"},
		Aliases:     metadata.Aliases{"get recall read fetch retrieve show: - memory fact"},
		Examples: []metadata.Example{
			{Title: "By key", Args: getIn{Query: "theme"}},
			{Title: "In words", Args: getIn{Query: "which colours does the user like", Limit: 3}},
		},
		Errors: []metadata.Code{metadata.ValidationError, metadata.TooLarge},
		Notes: []string{
			"why: exact (the key), word, spelling (a misspelt word matched a stored one), abbreviation, meaning (other words).",
			"The value of a secret is only returned for its exact key.",
			"confidence high: it is the answer; low: choose among the candidates, which share a distinctive word, or ask; none: it is not stored.",
		},
	}, m.get)
}

// maxCandidates is the maximum number of candidates, unless the call's limit is
// higher.
const maxCandidates = 5

func (m *memory) get(ctx context.Context, in getIn) (getOut, error) {
	var p problems
	p.query("query", in.Query)
	at := p.time("at", in.At, m.Zone())
	if err := p.err(); err != nil {
		return getOut{}, err
	}
	memories, err := m.memories(ctx)
	if err != nil {
		return getOut{}, err
	}
	if !at.IsZero() {
		return m.getAt(ctx, memories, in.Query, at)
	}
	similar := m.similar(in.Query)
	answer, note, err := recall(ctx, memories, store.RecallQuery{
		Text: in.Query, Filter: store.Filter{Category: in.Category}, Limit: in.Limit, Similar: similar.find,
		AmbiguousLimit: maxCandidates, // if the best is not clear, the answer shows its rivals too
	})
	if err != nil {
		return getOut{}, explain(ctx, err, in.Query)
	}
	if err := checkSize(answer.Hits); err != nil {
		return getOut{}, err
	}
	out := getOut{Confidence: string(answer.Confidence), Memories: []hit{}, Note: joinNotes(note, similar.note)}
	switch answer.Confidence {
	case store.ConfidenceHigh:
		out.Found, out.Memories = true, m.hits(ctx, answer.Hits)
		if err := reveal(memories, out.Memories[0].Why, answer.Hits[0].Memory, &out.Memories[0].view); err != nil {
			return getOut{}, err
		}
		memories.Touch(ids(answer.Hits)...)
	case store.ConfidenceLow:
		out.Candidates = fitToAnswer(m.hits(ctx, answer.Hits))
	default:
		out.Nearest, out.Provenance = answer.Nearest, keysProvenance(ctx, memories, answer.Nearest)
	}
	return out, nil
}

// fitToAnswer returns the first candidates, as many as fit into an answer, but
// at least one.
func fitToAnswer(candidates []hit) []hit {
	space := budget.DefaultSize
	for i, one := range candidates {
		if space -= budget.Size(one); space < 0 && i > 0 {
			return candidates[:i]
		}
	}
	return candidates
}

// getAt returns the version of a key at a given time. If there was none, it
// returns an answer without memories and no error.
func (m *memory) getAt(ctx context.Context, memories Memories, key string, at time.Time) (getOut, error) {
	found, err := memories.GetAt(ctx, key, at)
	if errors.Is(err, store.ErrNotFound) {
		return getOut{Confidence: string(store.ConfidenceNone), Memories: []hit{}}, nil
	}
	if err != nil {
		return getOut{}, explain(ctx, err, key)
	}
	one := hit{view: m.view(ctx, found), Why: "exact", Score: 1}
	if err := reveal(memories, one.Why, found, &one.view); err != nil {
		return getOut{}, err
	}
	return getOut{Found: true, Confidence: string(store.ConfidenceHigh), Memories: []hit{one}}, nil
}

// reveal adds the value of a secret to an answer, if the call asked for its key.
func reveal(memories Memories, why string, found *store.Memory, into *view) error {
	if !found.Secret || why != string(store.MatchExact) {
		return nil
	}
	value, err := memories.Reveal(found)
	into.Value = value
	return err
}

// maxAnswer limits the values of several memories in one answer. A single memory is
// returned whole, whatever its size.
const maxAnswer = 200_000 // bytes of JSON, some 50,000 tokens

// checkSize returns TOO_LARGE if the values of several memories exceed
// maxAnswer in total. Such an answer would fill a model's context.
func checkSize(found []store.Hit) error {
	size := 0
	for _, h := range found {
		size += len(h.Memory.Value)
	}
	if len(found) < 2 || size <= maxAnswer {
		return nil
	}
	return metadata.Errorf(metadata.TooLarge, "the %d memories found have %d bytes in total; the limit of an answer is %d", len(found), size, maxAnswer).
		WithHint("Ask for fewer with limit, for snippets with memory_search {detail: \"snippet\"}, or for one by its key.")
}

func ids(found []store.Hit) []int64 {
	ids := make([]int64, 0, len(found))
	for _, h := range found {
		ids = append(ids, h.Memory.ID)
	}
	return ids
}

func (m *memory) hits(ctx context.Context, found []store.Hit) []hit {
	hits := make([]hit, 0, len(found))
	for _, h := range found {
		hits = append(hits, hit{view: m.view(ctx, h.Memory), Why: string(h.MatchKind), Score: round(h.Score)})
	}
	return hits
}

// round keeps two decimals. More would only cost tokens.
func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }
