package metadata

import (
	"fmt"
	"strings"
	"testing"
)

func TestInvalidListsTheFirstTwentyProblems(t *testing.T) {
	problems := []Problem{}
	for i := range 23 {
		problems = append(problems, Problem{Path: fmt.Sprintf("tags[%d]", i), Expected: "short"})
	}
	e := Invalid(problems)
	if e.Code != ValidationError || len(e.Problems) != 20 || !strings.HasPrefix(e.Message, "tags[0] must be short; ") || !strings.HasSuffix(e.Message, "; tags[19] must be short; and 3 more") {
		t.Errorf("of 23: got %+v", e)
	}
	if one := Invalid(problems[:1]); one.Message != "tags[0] must be short" || len(one.Problems) != 1 {
		t.Errorf("of one: got %+v", one)
	}
}
