// ModelLibrary
