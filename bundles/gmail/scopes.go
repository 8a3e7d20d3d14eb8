package gmail

// The OAuth scopes that the actions need, the narrowest that Google's
// documentation names for the methods they call.
const (
	scopeRead     = "https://www.googleapis.com/auth/gmail.readonly"
	scopeModify   = "https://www.googleapis.com/auth/gmail.modify"
	scopeCompose  = "https://www.googleapis.com/auth/gmail.compose"
	scopeSettings = "https://www.googleapis.com/auth/gmail.settings.basic"
)

// owner is whose mail is kept. One person uses a server on stdio.
const owner = "local"

// bundleKey is the key of the bundle, which its rows have as well.
const bundleKey = "gmail"
