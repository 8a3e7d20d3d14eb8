package mailbox

// The OAuth scopes that the actions need, the narrowest that Google's
// documentation names for the methods they call.
const (
	ScopeRead     = "https://www.googleapis.com/auth/gmail.readonly"
	ScopeModify   = "https://www.googleapis.com/auth/gmail.modify"
	ScopeCompose  = "https://www.googleapis.com/auth/gmail.compose"
	ScopeSettings = "https://www.googleapis.com/auth/gmail.settings.basic"
)

// BundleKey is the key of the bundle, which its rows have as well.
const BundleKey = "gmail"
