package classifier

import (
	"io/fs"
	"path"
	"strings"
)

// A Request is an example from the repository.
type Request struct {
	Example
	Group  int      // requests with the same number are about the same thing, in other words
	Phrase bool     // the search by words knows it: it is one of an action's or a topic's phrases
	Also   []string // the actions that answer it as well as Label does
}

// ReadRequests returns the requests of a repository, in the order of its files:
// bundles/BUNDLE/phrases/ACTION.txt for each action, then those out of scope in
// metadata/search. An empty line ends a group. Also is from requests_also.txt, which was made by
// checking the labels of all requests of one or two words.
func ReadRequests(repository fs.FS) ([]Request, error) {
	files, err := fs.Glob(repository, "bundles/*/phrases/*.txt")
	if err != nil {
		return nil, err
	}
	also, err := readAlso(repository)
	if err != nil {
		return nil, err
	}
	var all []Request
	group := 0
	add := func(file, label string, areActions bool) error {
		text, err := fs.ReadFile(repository, file)
		if err != nil {
			return err
		}
		for i, block := range strings.Split(string(text), "\n\n") {
			group++
			for line := range strings.Lines(block) {
				if line = strings.TrimSpace(line); line != "" {
					all = append(all, Request{Example: Example{line, label}, Group: group, Phrase: areActions && i == 0, Also: also[line]})
				}
			}
		}
		return nil
	}
	for _, file := range files {
		bundle := path.Base(path.Dir(path.Dir(file)))
		if err := add(file, bundle+"_"+strings.TrimSuffix(path.Base(file), ".txt"), true); err != nil {
			return nil, err
		}
	}
	if err := add("metadata/search/out_of_scope_requests.txt", OutOfScope, false); err != nil {
		return nil, err
	}
	topics, err := fs.ReadFile(repository, "metadata/search/out_of_scope.txt")
	if err != nil {
		return nil, err
	}
	// The topics after the empty line are those of the bundles.
	foreign, _, _ := strings.Cut(string(topics), "\n\n")
	for topic := range strings.Lines(foreign) {
		group++
		_, phrases, _ := strings.Cut(strings.TrimSpace(topic), ": ")
		for _, line := range strings.Split(phrases, " | ") {
			all = append(all, Request{Example: Example{line, OutOfScope}, Group: group, Phrase: true})
		}
	}
	return all, nil
}

// readAlso returns the other right actions by request. Each line of the file is
// "request => action action".
func readAlso(repository fs.FS) (map[string][]string, error) {
	text, err := fs.ReadFile(repository, "metadata/search/requests_also.txt")
	if err != nil {
		return nil, err
	}
	also := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		request, actions, _ := strings.Cut(strings.TrimSpace(line), " => ")
		also[request] = strings.Fields(actions)
	}
	return also, nil
}
