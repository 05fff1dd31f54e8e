/// The reason given for a text that cannot be the name of a user or device.
let notAName =
    "must be 2 to 32 lower-case letters, digits, - or _, beginning with a letter or digit"
