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
// or known data may contain the words of others.
func (f *Flow) run(ctx context.Context, in Call) (Answer, error) {
	ctx, heard := bundles.TrackUntrusted(ctx)
	out, err := f.step(ctx, in)
	if err == nil && heard() {
		out.Provenance = &bundles.Provenance{Source: "log", Trust: "mixed"}
	}
	return out, err
}

func (f *Flow) step(ctx context.Context, in Call) (Answer, error) {
	if in.Handle != "" {
		return f.resume(ctx, in)
	}
	if in.Cancel {
		return Answer{}, metadata.Invalid([]metadata.Problem{{Path: "handle", Expected: "the handle to give up", Got: "nothing"}}).
			WithHint("Call without arguments: it lists what is under way, with handles.")
	}
	return f.begin(ctx, in, "")
}

// begin handles a call that does not continue a document. A note says why the call's
// handle is useless. With a note, begin creates nothing before the caller has seen the
// note: answers for one document must not become another.
func (f *Flow) begin(ctx context.Context, in Call, note string) (Answer, error) {
	types, err := f.types(ctx)
	if err != nil {
		return Answer{}, err
	}
	doc, t, err := f.settle(ctx, types, Document{Type: in.Type, Period: in.Period, Title: in.Title})
	if err != nil {
		return Answer{}, err
	}
	if doc.Type == "" {
		return f.discover(ctx, types, doc, in, note)
	}
	if doc.Answers, err = t.read(in.Answers); err != nil {
		return Answer{}, err
	}
	if doc, err = f.over(ctx, doc); err != nil {
		return Answer{}, err
	}
	if note == "" && len(doc.Answers) > 0 && len(t.missing(t.whole(doc))) == 0 {
		created, err := f.create(ctx, t, doc)
		if err != nil {
			return Answer{}, err
		}
		return f.end(ctx, createdAnswer(doc, created, "", "")), nil
	}
	doc.Foreign = bundles.HasUntrusted(ctx)
	state, err := json.Marshal(doc)
	if err != nil {
		return Answer{}, fmt.Errorf("keep %s: %w", doc.Type, err)
	}
	handle, err := f.Stages.Open(ctx, f.Action.Name, inInstructions, state)
	if err != nil {
		return Answer{}, err
	}
	return f.instruct(ctx, t, doc, handle, note)
}

// discover lists the types and the unfinished documents.
func (f *Flow) discover(ctx context.Context, types []DocumentType, doc Document, in Call, note string) (Answer, error) {
	const most = 5
	if len(in.Answers) > 0 {
		note = strings.TrimSpace(note + " Nothing of the answers is kept: give them again with a type, as next.call does where one takes them.")
	}
	out := discoveryAnswer(types, doc, note)
	out.Next.Call = f.next(ctx, types, doc, in)
	pending, err := f.Stages.Pending(ctx, f.Action.Name)
	if err != nil {
		return Answer{}, err
	}
	for _, handle := range pending {
		if len(out.UnderWay) == most {
			break
		}
		kept, err := f.kept(ctx, handle)
		if metadata.CodeOf(err) == metadata.NotFound || err == nil && !isType(types, kept.doc.Type) {
			continue
		}
		if err != nil {
			return Answer{}, err
		}
		out.UnderWay = append(out.UnderWay, UnderWay{Handle: handle, Type: kept.doc.Type, Period: kept.doc.Period})
	}
	if len(out.UnderWay) > 0 {
		out.Next.Ask = "Go on with what is under way by its handle, or take the type that fits; ask the user when in doubt."
	}
	bundles.NoteStage(ctx, f.discoverySchema(types))
	return out, nil
}

// next returns an example call with a type that fits the period and the answers. If none
// fits both, it uses the first type that fits the period, without the answers.
func (f *Flow) next(ctx context.Context, types []DocumentType, doc Document, in Call) *Call {
	call := Call{Type: types[0].Name, Title: doc.Title}
	found := false
	for _, one := range types {
		settled, t, err := f.settle(ctx, types, Document{Type: one.Name, Period: doc.Period, Title: doc.Title})
		if err != nil || settled.Type != one.Name {
			continue
		}
		if _, err := t.read(in.Answers); err == nil {
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

// instruct returns how to write the document.
func (f *Flow) instruct(ctx context.Context, t DocumentType, doc Document, handle, note string) (Answer, error) {
	known, err := t.known(ctx, doc)
	if err != nil {
		return Answer{}, err
	}
	starter, err := t.starter(doc, t.whole(doc), known)
	if err != nil {
		return Answer{}, err
	}
	bundles.NoteStage(ctx, t.instructionsSchema(handle))
	out := instructionsAnswer(t, doc, handle, starter, note)
	out.Instructions = bundles.WithoutHiddenTools(ctx, out.Instructions)
	return out, nil
}

// end returns the last answer of the flow for this caller.
func (f *Flow) end(ctx context.Context, out Answer) Answer {
	bundles.NoteStage(ctx, nil)
	return out
}

// types returns all current types.
func (f *Flow) types(ctx context.Context) ([]DocumentType, error) {
	if f.Own == nil {
		return f.Types, nil
	}
	own, err := f.Own(ctx)
	if err != nil {
		return nil, err
	}
	return append(slices.Clip(f.Types), own...), nil
}

// settle finds the type and runs the flow's Settle. The type is "" if the caller must
// choose.
func (f *Flow) settle(ctx context.Context, types []DocumentType, doc Document) (Document, DocumentType, error) {
	if doc.Type != "" {
		t, err := typeOf(types, doc.Type)
		if err != nil {
			return Document{}, DocumentType{}, err
		}
		doc.Type = t.Name
	}
	if f.Settle != nil {
		if err := f.Settle(ctx, &doc); err != nil {
			return Document{}, DocumentType{}, err
		}
	}
	if doc.Type == "" && len(types) == 1 {
		doc.Type = types[0].Name
	}
	if doc.Type == "" {
		return doc, DocumentType{}, nil
	}
	t, err := typeOf(types, doc.Type)
	return doc, t, err
}

// typeOf returns the type with that name. It ignores separators and case. For an unknown
// name it returns VALIDATION_ERROR with the nearest name.
func typeOf(types []DocumentType, name string) (DocumentType, error) {
	names := make([]string, 0, len(types))
	for _, t := range types {
		if plainName(t.Name) == plainName(name) {
			return t, nil
		}
		names = append(names, t.Name)
	}
	problem := metadata.Problem{Path: "type", Expected: "one of " + strings.Join(names, ", "), Got: fmt.Sprintf("%q", name)}
	hint := "Without a type the call lists them, with a line each."
	if near := nearestType(name, names); near != "" {
		problem.Suggestion = near
		hint = fmt.Sprintf("Did you mean %q? %s", near, hint)
	}
	return DocumentType{}, metadata.Invalid([]metadata.Problem{problem}).WithHint("%s", hint)
}

// nearestType returns the type that a wrong name probably means, or "". The action's own
// types come first, so a prefix matches the first of them.
func nearestType(name string, names []string) string {
	begins := func(full string) bool { return strings.HasPrefix(plainName(full), plainName(name)) }
	if i := slices.IndexFunc(names, begins); i >= 0 && plainName(name) != "" {
		return names[i]
	}
	return strings.Join(metadata.Nearest(name, names, 1), "")
}

func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
