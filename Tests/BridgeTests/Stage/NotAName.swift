/// What is said of a text that can be no user's or device's name.
let notAName = "must have 2 to 32 small letters, digits, - or _, a letter or digit first"
