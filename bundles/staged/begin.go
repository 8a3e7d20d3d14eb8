package staged

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// run carries out one call of the flow's action. It adds a provenance if earlier answers
// or known data may contain text by others.
func (f *Flow) run(ctx context.Context, in Call) (Answer, error) {
	ctx, hasUntrusted := bundles.TrackUntrusted(ctx)
	out, err := f.step(ctx, in)
	if err == nil && hasUntrusted() {
		out.Provenance = &bundles.Provenance{Source: "log", Trust: "mixed"}
	}
	return out, err
}

func (f *Flow) step(ctx context.Context, in Call) (Answer, error) {
	if in.Handle != "" {
		return f.resume(ctx, in)
	}
	if in.Cancel {
		return Answer{}, metadata.Invalid([]metadata.Problem{{Path: "handle", Expected: "the handle to cancel", Got: "nothing"}}).
			WithHint("A call without arguments lists unfinished documents with their handles.")
	}
	return f.begin(ctx, in, "")
}

// begin handles a call that does not continue a document. A note says why the call cannot
// continue its handle. With a note, begin creates nothing before the caller has seen the
// note: answers for one document must not create another.
func (f *Flow) begin(ctx context.Context, in Call, note string) (Answer, error) {
	types, err := f.types(ctx)
	if err != nil {
		return Answer{}, err
	}
	doc, t, err := f.normalize(ctx, types, Document{Type: in.Type, Period: in.Period, Title: in.Title})
	if err != nil {
		return Answer{}, err
	}
	if doc.Type == "" {
		return f.discover(ctx, types, doc, in, note)
	}
	if doc.Answers, err = t.validAnswers(in.Answers); err != nil {
		return Answer{}, err
	}
	if doc, err = f.withExisting(ctx, doc); err != nil {
		return Answer{}, err
	}
	if note == "" && len(doc.Answers) > 0 && len(t.missing(t.mergedAnswers(doc))) == 0 {
		created, err := f.create(ctx, t, doc)
		if err != nil {
			return Answer{}, err
		}
		return f.finalAnswer(ctx, createdAnswer(doc, created, "", "")), nil
	}
	doc.Untrusted = bundles.HasUntrusted(ctx)
	state, err := json.Marshal(doc)
	if err != nil {
		return Answer{}, fmt.Errorf("save the unfinished %s: %w", doc.Type, err)
	}
	handle, err := f.Stages.Open(ctx, f.Action.Name, stageInstructions, state)
	if err != nil {
		return Answer{}, err
	}
	return f.instructions(ctx, t, doc, handle, note)
}

// discover lists the types and at most five unfinished documents.
func (f *Flow) discover(ctx context.Context, types []DocumentType, doc Document, in Call, note string) (Answer, error) {
	const maxListed = 5
	if len(in.Answers) > 0 {
		note = strings.TrimSpace(note + " The answers were not stored: give them again with a type, as in next.call.")
	}
	out := discoveryAnswer(types, doc, note)
	out.Next.Call = f.exampleCall(ctx, types, doc, in)
	pending, err := f.Stages.Pending(ctx, f.Action.Name)
	if err != nil {
		return Answer{}, err
	}
	for _, handle := range pending {
		if len(out.Unfinished) == maxListed {
			break
		}
		stored, err := f.load(ctx, handle)
		if metadata.CodeOf(err) == metadata.NotFound || err == nil && !isType(types, stored.doc.Type) {
			continue
		}
		if err != nil {
			return Answer{}, err
		}
		out.Unfinished = append(out.Unfinished, UnfinishedDocument{Handle: handle, Type: stored.doc.Type, Period: stored.doc.Period})
	}
	if len(out.Unfinished) > 0 {
		out.Next.Ask = "Continue an unfinished document with its handle, or choose the type that fits; ask the user if in doubt."
	}
	bundles.ReportStage(ctx, f.discoverySchema(types))
	return out, nil
}

// exampleCall returns an example call with a type that fits the period and the answers. If
// none fits both, it uses the first type that fits the period, without the answers. If none
// fits the period, it uses the first type, without the period and the answers.
func (f *Flow) exampleCall(ctx context.Context, types []DocumentType, doc Document, in Call) *Call {
	call := Call{Type: types[0].Name, Title: doc.Title}
	found := false
	for _, one := range types {
		normalized, t, err := f.normalize(ctx, types, Document{Type: one.Name, Period: doc.Period, Title: doc.Title})
		if err != nil || normalized.Type != one.Name {
			continue
		}
		if _, err := t.validAnswers(in.Answers); err == nil {
			return &Call{Type: one.Name, Period: doc.Period, Title: doc.Title, Answers: in.Answers}
		}
		if !found {
			call.Type, call.Period, found = one.Name, doc.Period, true
		}
	}
	return &call
}

// isType reports whether a type has exactly that name.
func isType(types []DocumentType, name string) bool {
	return slices.ContainsFunc(types, func(t DocumentType) bool { return t.Name == name })
}

// instructions returns how to write the document.
func (f *Flow) instructions(ctx context.Context, t DocumentType, doc Document, handle, note string) (Answer, error) {
	known, err := t.prefillData(ctx, doc)
	if err != nil {
		return Answer{}, err
	}
	starter, err := t.starter(doc, t.mergedAnswers(doc), known)
	if err != nil {
		return Answer{}, err
	}
	bundles.ReportStage(ctx, t.instructionsSchema(handle))
	out := instructionsAnswer(t, doc, handle, starter, note)
	out.Instructions = bundles.WithoutHiddenTools(ctx, out.Instructions)
	return out, nil
}

// finalAnswer returns out, the last answer of the flow, and restores the action's own
// schema for the caller's next call.
func (f *Flow) finalAnswer(ctx context.Context, out Answer) Answer {
	bundles.ReportStage(ctx, nil)
	return out
}

// types returns all current types.
func (f *Flow) types(ctx context.Context) ([]DocumentType, error) {
	if f.UserTypes == nil {
		return f.Types, nil
	}
	own, err := f.UserTypes(ctx)
	if err != nil {
		return nil, err
	}
	return append(slices.Clip(f.Types), own...), nil
}

// normalize finds the type and calls the flow's Normalize. The type is "" if the caller
// must choose.
func (f *Flow) normalize(ctx context.Context, types []DocumentType, doc Document) (Document, DocumentType, error) {
	if doc.Type != "" {
		t, err := findType(types, doc.Type)
		if err != nil {
			return Document{}, DocumentType{}, err
		}
		doc.Type = t.Name
	}
	if f.Normalize != nil {
		if err := f.Normalize(ctx, &doc); err != nil {
			return Document{}, DocumentType{}, err
		}
	}
	if doc.Type == "" && len(types) == 1 {
		doc.Type = types[0].Name
	}
	if doc.Type == "" {
		return doc, DocumentType{}, nil
	}
	t, err := findType(types, doc.Type)
	return doc, t, err
}

// findType returns the type with that name. It ignores separators and case. For an unknown
// name it returns VALIDATION_ERROR, with the nearest name if one is similar.
func findType(types []DocumentType, name string) (DocumentType, error) {
	names := make([]string, 0, len(types))
	for _, t := range types {
		if foldName(t.Name) == foldName(name) {
			return t, nil
		}
		names = append(names, t.Name)
	}
	problem := metadata.Problem{Path: "type", Expected: "one of " + strings.Join(names, ", "), Got: fmt.Sprintf("%q", name)}
	hint := "A call without a type lists the types."
	if near := nearestType(name, names); near != "" {
		problem.Suggestion = near
		hint = fmt.Sprintf("Did you mean %q? %s", near, hint)
	}
	return DocumentType{}, metadata.Invalid([]metadata.Problem{problem}).WithHint("%s", hint)
}

// nearestType returns the type that a wrong name probably means, or "". The bundle's types
// come before those of the user, so a prefix matches a type of the bundle first.
func nearestType(name string, names []string) string {
	begins := func(full string) bool { return strings.HasPrefix(foldName(full), foldName(name)) }
	if i := slices.IndexFunc(names, begins); i >= 0 && foldName(name) != "" {
		return names[i]
	}
	return strings.Join(metadata.Nearest(name, names, 1), "")
}

func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
