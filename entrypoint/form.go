package entrypoint

// A Form is a question that a client shows to its user.
type Form struct {
	Message string
	Fields  map[string]any // the JSON Schema of the answer's content
}

// A FormAnswer is what the user did with a Form.
type FormAnswer struct {
	Action  FormAction
	Content map[string]any // nil where the user did not fill the form in
}

// A FormAction is what MCP calls the action of an elicitation's result.
type FormAction string

const (
	FormAccepted  FormAction = "accept"
	FormDeclined  FormAction = "decline"
	FormCancelled FormAction = "cancel"
)

// A FormMode is how a client shows forms.
type FormMode int

const (
	ShowsNone  FormMode = iota
	ShowsNow            // during the call
	ShowsAfter          // after the call, which the client then repeats with the answer: see InputRequired
)

// InputRequired is the cause of the error of a call that ends with a question
// to the user. The client makes the call again with the answer: see FormReply.
type InputRequired struct {
	State string // comes back with the answer
	Form  Form
}

func (*InputRequired) Error() string { return "the user is to be asked" }

// A FormReply is the user's answer to a question, which comes back with the call
// that is made again: see InputRequired.
type FormReply struct {
	State  string      // what came with the question
	Answer *FormAnswer // nil where there is none
}
