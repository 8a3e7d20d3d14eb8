package bundletest_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"kota/bundles"
	"kota/metadata"
)

// A shelf is a small bundle that keeps the contract until it is broken.
type shelf struct {
	bundles.Bundle
	books   []string
	missing metadata.Code // of a book that is not there
	hint    string
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

func newShelf(fault func(*shelf)) bundles.Bundle {
	s := &shelf{books: []string{}, missing: metadata.NotFound, hint: "Put it there with shelf_put."}
	s.Bundle = bundles.New(metadata.Bundle{
		Key: "shelf", Name: "Shelf", Description: "Books on a shelf", Category: metadata.Optional, Tags: []string{"books"},
		Relationships: []metadata.Relationship{{Type: metadata.RelatedTo, Bundle: "memory", Description: "Who lent a book is a memory"}},
		Workflows: []metadata.Workflow{{Title: "Put and find", Scenario: "A book comes back", Steps: []metadata.Step{
			{Tool: "shelf_put", Args: putIn{Title: "Emma"}}, {Tool: "shelf_find", Args: findIn{Title: "Emma"}},
		}}},
	},
		bundles.Bind(metadata.Action{
			Name: "put", Effect: metadata.Writes, Summary: "Put a book on the shelf.",
			Phrases:  []string{"I bought a book", "shelve this", "add a novel", "my new book", "one more for the shelf"},
			Examples: []metadata.Example{{Title: "A novel", Args: putIn{Title: "Persuasion"}}},
		}, s.putBook),
		bundles.Bind(metadata.Action{
			Name: "find", Effect: metadata.Reads, Summary: "Find a book on the shelf.", Errors: []metadata.Code{metadata.NotFound},
			Phrases:  []string{"where is Emma", "do I have that book", "look for a novel", "is it on the shelf", "find a title"},
			Examples: []metadata.Example{{Title: "Emma", Args: findIn{Title: "Emma"}}},
		}, s.findBook),
	)
	s.Resources = []bundles.Resource{
		{Action: "find", URI: "shelf://all", Name: "shelf", MIME: "text/plain", Description: "Every book.", Read: func(context.Context, string) (string, error) {
			return strings.Join(s.books, "\n"), nil
		}},
		{Action: "find", URI: "shelf://{title}", Name: "book", MIME: "text/plain", Description: "One book.", Read: func(_ context.Context, title string) (string, error) {
			return title, s.look(title)
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
	return s.Bundle
}

func (s *shelf) put() *bundles.Action { return &s.Actions[0] }

func (s *shelf) find() *bundles.Action { return &s.Actions[1] }

func (s *shelf) putBook(_ context.Context, in putIn) (booksOut, error) {
	if s.books != nil {
		s.books = append(s.books, in.Title)
	}
	return booksOut{Books: []string{in.Title}}, nil
}

func (s *shelf) findBook(_ context.Context, in findIn) (booksOut, error) {
	if s.books == nil {
		return booksOut{}, nil
	}
	if err := s.look(in.Title); err != nil {
		return booksOut{}, err
	}
	return booksOut{Books: []string{in.Title}}, nil
}

func (s *shelf) look(title string) error {
	if slices.Contains(s.books, title) {
		return nil
	}
	return &metadata.Error{Code: s.missing, Message: "there is no " + title, Hint: s.hint}
}

// gullible makes putting a book take anything for its arguments.
func (s *shelf) gullible() {
	s.put().Prepare = func(json.RawMessage) (bundles.Call, error) {
		return bundles.Call{Effect: metadata.Writes, Do: func(ctx context.Context) (any, error) {
			return s.putBook(ctx, putIn{Title: "Emma"})
		}}, nil
	}
}
