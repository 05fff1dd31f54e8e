/// The reason given for a text that cannot be the name of a user or device.
let notAName = "must have 2 to 32 small letters, digits, - or _, a letter or digit first"
