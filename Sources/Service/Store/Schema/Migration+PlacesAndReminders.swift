extension Migration {
    /// Places of the organisation and of people, rules for these, and reminders.
    static let placesAndReminders = Migration(
        number: 24, statements: placesOfOrganisation + geofenceTables + reminderTables)
}
