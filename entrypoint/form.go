package entrypoint

// A Form is a question that a client shows to its user.
type Form struct {
	Message string
	Fields  map[string]any // the JSON Schema of the answer's content
}

// A FormAnswer is what the user did with a Form.
type FormAnswer struct {
	Action  FormAction
	Content map[string]any // nil if the user did not fill in the form
}

// A FormAction is the action of an elicitation's result in MCP.
type FormAction string

const (
	FormAccepted  FormAction = "accept"
	FormDeclined  FormAction = "decline"
	FormCancelled FormAction = "cancel"
)

// A FormMode is the way in which a client shows forms.
type FormMode int

const (
	FormsUnsupported FormMode = iota
	FormsDuringCall           // during the call
	FormsAfterCall            // in the result; the client then repeats the call with the answer: see InputRequired
)

// InputRequired is the cause of an error that asks the user a question. The client
// then repeats the call with the answer: see FormReply.
type InputRequired struct {
	State string // opaque; the client sends it back with the answer
	Form  Form
}

func (*InputRequired) Error() string { return "the user must be asked first" }

// A FormReply is the user's answer to a question. The client sends it with the
// repeated call: see InputRequired.
type FormReply struct {
	State  string      // the State of the question
	Answer *FormAnswer // nil if the client sent none
}
