package bundletest_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/staged"
	"kota/metadata"
)

// A bookcase is a small bundle that keeps the contract until a test breaks it.
type bookcase struct {
	bundles.Bundle
	books          []string
	missing        metadata.Code // the code for a missing book
	hint           string
	overwriteHint  string          // the offer to overwrite
	reviews        map[string]bool // by key
	lent           map[string]bool // books by title
	undoOverwrites bool            // an undo removes a lent book
	ignoresLending bool            // lending has no effect
	omitsUndoID    bool            // adding a book returns no undo_id
}

type putOut struct {
	Books []string `json:"books"`
	Undo  string   `json:"undo_id"`
}

type undoIn struct {
	Undo      string `json:"undo_id"`
	Overwrite bool   `json:"overwrite,omitempty"`
}

type reviewFields struct {
	Opinion string `json:"opinion" doc:"in the user's words"`
	Stars   int    `json:"stars,omitempty" default:"3" doc:"1 to 5"`
}

type putIn struct {
	Title string `json:"title"`
}

type findIn struct {
	Title string `json:"title"`
}

type booksOut struct {
	Books []string `json:"books"`
}

func newBookcase(fault func(*bookcase)) *bookcase {
	s := &bookcase{lent: map[string]bool{}, books: []string{}, missing: metadata.NotFound, hint: "Put it there with bookcase_put.", overwriteHint: `Repeat it with "overwrite": true.`, reviews: map[string]bool{}}
	s.Bundle = bundles.New(metadata.Bundle{
		Key: "bookcase", Name: "Bookcase", Description: "Books on a bookcase", Category: metadata.Optional, Tags: []string{"books"},
		Relationships: []metadata.Relationship{{Type: metadata.RelatedTo, Bundle: "memory", Description: "Who lent a book is a memory"}},
		Workflows: []metadata.Workflow{{Title: "Put and find", Scenario: "A book comes back", Steps: []metadata.Step{
			{Tool: "bookcase_put", Args: putIn{Title: "Emma"}}, {Tool: "bookcase_find", Args: findIn{Title: "Emma"}},
		}}},
	},
		bundles.Bind(metadata.Action{
			Name: "put", Effect: metadata.Writes, Summary: "Put a book on the bookcase.",
			Phrases:  []string{"I bought a book", "store this", "add a novel", "my new book", "one more for the bookcase"},
			Examples: []metadata.Example{{Title: "A novel", Args: putIn{Title: "Persuasion"}}},
		}, s.putBook),
		bundles.Bind(metadata.Action{
			Name: "find", Effect: metadata.Reads, Summary: "Find a book on the bookcase.", Errors: []metadata.Code{metadata.NotFound},
			Phrases:  []string{"where is Emma", "do I have that book", "look for a novel", "is it on the bookcase", "find a title"},
			Examples: []metadata.Example{{Title: "Emma", Args: findIn{Title: "Emma"}}},
		}, s.findBook),
		s.reviewAction(),
		bundles.Bind(metadata.Action{
			Name: "undo", Effect: metadata.Writes, Undoes: true, Summary: "Take a book off again.", Errors: []metadata.Code{metadata.NotFound, metadata.Conflict},
			Phrases:  []string{"that was the wrong book", "revert it", "I did not mean that one", "off with it again", "reverse the last one"},
			Examples: []metadata.Example{{Title: "Emma", Args: undoIn{Undo: "Emma"}}},
		}, s.undoPut),
	)
	s.Resources = []bundles.Resource{
		{Action: "find", URI: "bookcase://all", Name: "bookcase", MIME: "text/plain", Description: "Every book.", Read: func(context.Context, string) (string, error) {
			return strings.Join(s.books, "\n"), nil
		}},
		{Action: "find", URI: "bookcase://{title}", Name: "book", MIME: "text/plain", Description: "One book.", Read: func(_ context.Context, title string) (string, error) {
			return title, s.checkPresent(title)
		}},
	}
	s.Prompts = []bundles.Prompt{{
		Action: "find", Name: "choose", Description: "Choose a book to read.",
		Arguments: []bundles.Argument{{Name: "mood", Description: "how you feel"}},
		Text: func(_ context.Context, args map[string]string) (string, error) {
			return "Which of my books suits somebody who feels " + args["mood"] + "?", nil
		},
	}}
	fault(s)
	return s
}

func (s *bookcase) reviewAction() bundles.Action {
	next := []metadata.Step{{Tool: "bookcase_find", Args: findIn{Title: "Emma"}}}
	return staged.Bind(staged.Flow{
		Action: metadata.Action{
			Name: "review", Summary: "Review a book, step by step or at once.",
			Phrases: []string{"what I think of it", "write a review", "it was boring", "five stars", "my opinion of Emma"},
			Notes:   []string{"Cannot be undone: a review that was written stays."},
		},
		Stages: &bundletest.Stages{},
		Create: func(_ context.Context, doc staged.Document) (staged.CreateResult, error) {
			there := s.reviews[doc.Key] && doc.Key != ""
			s.reviews[doc.Key] = true
			return staged.CreateResult{ID: "r" + doc.Key, Title: "Emma", Next: next, Repeated: there}, nil
		},
		Types: []staged.DocumentType{{
			Name: "review", Line: "an opinion of a book", Instructions: "Ask for it.",
			Fields: staged.FieldsOf[reviewFields](), Template: "{{.opinion}} {{.stars}} of {{.most}}",
			Prefill: func(context.Context, staged.Document) (map[string]any, error) { return map[string]any{"most": 5}, nil },
			Example: staged.DocumentExample{Answers: reviewFields{Opinion: "Good.", Stars: 4}, Prefill: map[string]any{"most": 5}, Created: staged.CreateResult{ID: "r", Title: "Emma", Next: next}},
		}},
	})
}

// reviewType returns the only type of the bookcase's staged action.
func (s *bookcase) reviewType() *staged.DocumentType { return &staged.FlowOf(s.Actions[2]).Types[0] }

// changeCreated changes the result of Create for a review.
func (s *bookcase) changeCreated(change func(*staged.CreateResult)) {
	create := staged.FlowOf(s.Actions[2]).Create
	staged.FlowOf(s.Actions[2]).Create = func(ctx context.Context, doc staged.Document) (staged.CreateResult, error) {
		out, err := create(ctx, doc)
		change(&out)
		return out, err
	}
	change(&s.reviewType().Example.Created)
}

func (s *bookcase) putAction() *bundles.Action { return &s.Actions[0] }

func (s *bookcase) findAction() *bundles.Action { return &s.Actions[1] }

func (s *bookcase) putBook(_ context.Context, in putIn) (putOut, error) {
	if s.books != nil {
		s.books = append(s.books, in.Title)
	}
	if s.omitsUndoID {
		return putOut{Books: []string{in.Title}}, nil
	}
	return putOut{Books: []string{in.Title}, Undo: in.Title}, nil
}

func (s *bookcase) undoPut(_ context.Context, in undoIn) (booksOut, error) {
	if err := s.checkPresent(in.Undo); err != nil {
		return booksOut{}, err
	}
	if s.lent[in.Undo] && !in.Overwrite && !s.undoOverwrites {
		return booksOut{}, &metadata.Error{Code: metadata.Conflict, Message: in.Undo + " is lent", Hint: s.overwriteHint}
	}
	delete(s.lent, in.Undo)
	s.books = slices.DeleteFunc(s.books, func(title string) bool { return title == in.Undo })
	return booksOut{Books: s.books}, nil
}

func (s *bookcase) findBook(_ context.Context, in findIn) (booksOut, error) {
	if s.books == nil {
		return booksOut{}, nil
	}
	if err := s.checkPresent(in.Title); err != nil {
		return booksOut{}, err
	}
	return booksOut{Books: []string{in.Title}}, nil
}

func (s *bookcase) checkPresent(title string) error {
	if slices.Contains(s.books, title) {
		return nil
	}
	return &metadata.Error{Code: s.missing, Message: "there is no " + title, Hint: s.hint}
}

// acceptAnyArguments makes the put action accept any arguments.
func (s *bookcase) acceptAnyArguments() {
	s.putAction().Prepare = func(json.RawMessage) (bundles.Call, error) {
		return bundles.Call{Effect: metadata.Writes, Do: func(ctx context.Context) (any, error) {
			return s.putBook(ctx, putIn{Title: "Emma"})
		}}, nil
	}
}
