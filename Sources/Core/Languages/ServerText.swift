/// All texts written by the server: for notifications, mails and OwnTracks apps. Each is the key of
/// its translations in `pages/languages`.
public enum ServerText: String, Hashable, Sendable, CaseIterable {
    // MARK: Alerts
    case journeyStarted = "{name} is on the way to {place} and expects to arrive by {time}."
    case journeyStartedSomewhere =
        "{name} is on the way to the destination and expects to arrive by {time}."
    case checkInStarted = "{name} will check in by {time}."
    case journeyStopped = "{name} has stopped the journey to {place}."
    case journeyStoppedSomewhere = "{name} has stopped the journey to the destination."
    case checkInStopped = "{name} has ended the check-in."
    case journeyArrived = "{name} has arrived at {place}."
    case journeyArrivedSomewhere = "{name} has arrived at the destination."
    case late = "{name} has not arrived at {place} by {time}."
    case lateSomewhere = "{name} has not arrived at the destination by {time}."
    case checkInLate = "{name} has not checked in by {time}."
    case theTimeGiven = "the time given"
    case stuck = "{name} has not moved for a while."
    case moving = "{name} is moving again."
    case offline = "{name} has gone offline."
    case online = "{name} is back online."
    case silent = "{name} is connected, but no position has been received for a while."
    case sos = "{name} has sent an SOS and needs help!"
    case journeyWaits = "The journey resumes when the SOS is over."
    case journeyGoesOn = "The journey continues."
    case callClockWrong = "A clock is wrong, so the call shows the time it arrived."
    case sosStopped = "{name} has ended the SOS."
    case sosLeft = "{name} has left the group during an SOS, which is still active."
    case inNeed = "{name} may need medical help, according to their vital signs."
    case unanswered = "Dispatch has not confirmed help for {name} yet."
    case callNumber = "Please call {number} yourself."
    case callForHelp = "Please call for help yourself."
    case assisted = "Dispatch has answered the call for {name}."
    case vitalsSilentOfOther = "No vital signs from {name} for a while."
    case vitalsBackOfOther = "Vital signs from {name} are being received again."
    case noPosition = "No position is known."
    case positionMinutesOld = "The last position is {minutes} min old."
    case positionHoursOld = "The last position is {hours} h old."
    case positionDaysOld = "The last position is {count} days old."
    case lastSeen = "Last seen: {place}."
    case kilometresNorth = "{distance} km north of {city}"
    case kilometresNortheast = "{distance} km northeast of {city}"
    case kilometresEast = "{distance} km east of {city}"
    case kilometresSoutheast = "{distance} km southeast of {city}"
    case kilometresSouth = "{distance} km south of {city}"
    case kilometresSouthwest = "{distance} km southwest of {city}"
    case kilometresWest = "{distance} km west of {city}"
    case kilometresNorthwest = "{distance} km northwest of {city}"
    // MARK: Titles, and other messages
    case sosTitle = "{name}: SOS"
    case inGroup = "{text} ({group})"
    case toldLater = "At {time}: {text}"
    case reachTitle = "Kith can reach you here"
    case reachCheck = "Nothing has happened."
    case reachTest = "This is the test you requested."
    case heldTitle = "{count} messages during your quiet hours"
    case heldAlerts = "{count} of them: someone was late, stuck, offline or silent."
    case heldShown = "Open Kith to see them all."
    case codeTitle = "Your code for Kith: {code}"
    case code =
        "Someone wants to receive notifications from Kith at this address. If it was you, enter this code: {code}. If not, ignore this mail: nothing else is sent here."
    case newPasswordTitle = "A new password for Kith"
    case newPassword =
        "Someone has requested a new password for the account {user}. If it was you, set one with this link. It works once, within a day. If it wasn't you, do nothing: no one can set one without this mail."
    case confirmTitle = "Your Kith account"
    case confirmAddress =
        "The account {user} now has this address. If it is yours, confirm the address with this link. It works once, within three days. If you didn't create that account, do nothing."
    // MARK: Notices
    case clockFast = "The clock of your device {device} is {minutes} min fast."
    case clockSlow = "The clock of your device {device} is {minutes} min slow."
    case clockWrong = "The clock of your device {device} is wrong, so its positions are rejected."
    case clockCorrected =
        "The clock of your device {device} is wrong. Kith corrects the times of its positions."
    case callOver =
        "A call for help that you made before ending the SOS arrived late. No one was alerted: if you still need help, call again."
    case helperComing = "{name} is coming."
    case helperNotComing = "{name} is not coming after all."
    case helperCalled = "{name} has called the emergency number."
    case somebody = "Someone"
    case addedToGroup = "You were added to the group {group}."
    case addedToGroupBy = "{by} added you to the group {group}."
    case addedToGroupByYou = "You joined the group {group}."
    case otherAddedToGroup = "{name} was added to the group {group}."
    case otherAddedToGroupBy = "{by} added {name} to the group {group}."
    case otherAddedToGroupByYou = "You added {name} to the group {group}."
    case removedFromGroup = "You were removed from the group {group}."
    case removedFromGroupBy = "{by} removed you from the group {group}."
    case removedFromGroupByYou = "You left the group {group}."
    case observerAdded = "A program can see what the group {group} sees: {label}."
    case observerAddedBy = "{by} added a program that sees what the group {group} sees: {label}."
    case observerAddedByYou =
        "You added a program that sees what the group {group} sees: {label}. If this wasn't you, end it."
    case observerEnded = "Your program {label} was ended: it no longer sees the group {group}."
    case nobodyFollows = "No one is following your journey any more."
    case invitedToGroup = "You are invited to the group {group}."
    case invitedToGroupBy = "{by} invited you to the group {group}."
    case invitedToGroupByYou = "You invited yourself to the group {group}."
    case friendAdded = "{name} added you as a friend."
    case locationShared = "{name} is sharing their location with you."
    case sharingReminder =
        "{groups} and {friends} can see your position. Is that still what you want?"
    case groupCount = "{count} groups"
    case friendCount = "{count} friends"
    case sharingEnded =
        "The group {group} no longer sees where you are: the sharing period is over."
    case newLogin =
        "{device} has logged in to your account. If this wasn't you, change your password."
    case loggedOutForRoom = "{device} was logged out because another device logged in."
    case loggedOutUnused = "{device} was logged out because it hadn't been used for a long time."
    case loggedOutLeft =
        "{device} was logged out because you are no longer in your organisation's directory."
    case loggedOutUnconfirmed =
        "{device} was logged out: log in again with your organisation's password."
    case passwordChanged =
        "Your password was changed. If this wasn't you, contact the operator of this server."
    case passwordForgotten =
        "Someone has requested a new password for your account. A link was sent to your address; without it no one can set one."
    case emailChanged = "Your account's address was changed."
    case secondFactorOn = "Logging in to your account now requires a code."
    case secondFactorOff = "Logging in to your account no longer requires a code."
    case passkeyAdded =
        "The passkey {label} can now log in to your account. If this wasn't you, remove it."
    case passkeyRemoved = "The passkey {label} can no longer log in to your account."
    case channelAdded = "{label} now receives your notifications. If this wasn't you, remove it."
    case channelRemoved = "{label} no longer receives your notifications."
    case channelLost = "{label} can no longer be reached: turn notifications back on there."
    case consentRequested = "{name} requests your data. It gets nothing unless you agree."
    case numberClaimed =
        "Another user has entered the same social security number as you. Requests by that number reach both of you. If yours is right, contact the operator of this server."
    case serviceAdded = "{name} now has access to your data. If this wasn't you, remove it."
    case serviceEnded = "{name} of {company} no longer exists and can no longer read your data."
    case dataDeleted = "A user has deleted some of the data you have access to. Delete your copy."
    case vitalsEnded = "A user has stopped storing vital signs and deleted them. Delete your copy."
    case consentGiven = "{name} has given you access to their data."
    case consentRefused = "A user has refused you access to their data."
    case consentRevoked = "{name} has withdrawn your access to their data."
    case areYouAllRight =
        "Are you all right? Your vital signs are unusual. Confirm by {time} that you are all right, or help will be called."
    case questionOver = "Your vital signs are no longer unusual. No one was called."
    case helpCalled =
        "Help is being called for you because of your vital signs. If you can, call the emergency number yourself."
    case helpAcknowledged =
        "Dispatch has acknowledged the call for you: help is on its way. If you no longer need help, say so."
    case helpClosed =
        "Dispatch has closed the call for you. If you no longer need help, say so: your vital signs are then watched again."
    case helpUnanswered =
        "No dispatcher has answered the call for you. If you can, call the emergency number yourself."
    case helpCalledOff =
        "You said that you no longer need help, and dispatch is being notified. If this wasn't you, call for help again."
    case vitalsSilent =
        "No vital signs from you for a while: no one would notice if you needed help. Is your watch on?"
    case vitalsBack = "Your vital signs are being received again."
    case monitoringBegan =
        "Your vital signs are now being watched. If this wasn't you, change your password."
    case monitoringChanged =
        "The monitoring of your vital signs was changed. If this wasn't you, check it and change your password."
    case monitoringEnded =
        "Your vital signs are no longer watched: no one is called because of them. If this wasn't you, change your password."
    case runCancelled = "The run {run} will not take place."
    case runChanged = "The run {run} has been changed. Check its details."
    case runStarting =
        "The run {run} starts at {time}. From then until you finish, everyone sees where you are on the course."
    case reminder = "{place}: {text}"
    case placeArrived = "{name} arrived at {place} at {time}."
    case placeLeft = "{name} left {place} at {time}."
    case placeMissed = "{name} was not at {place} by {time}."
    case placeMissedUnknown = "{name} was not seen at {place} by {time}. Their location is unknown."
    case placeRuleAsked =
        "{name} wants someone notified when you arrive at, leave or are not at {place}. No one is notified unless you agree."
    case placeRuleAgreed = "{name} agrees to your rule for {place}."
    case placeRuleRefused =
        "{name} does not agree to your rule for {place}: it notifies no one about them."
    case placeRuleEnded = "A rule for {place} has ended: it no longer notifies anyone."
    case placeChanged =
        "{name} has changed the place {was}: it is now called {place}, {metres} m from where it was, with a radius of {radius} m instead of {before} m."
    case placeChangedConfirm =
        "{name} has changed the place {was}: it is now called {place}, {metres} m from where it was, with a radius of {radius} m instead of {before} m. Your rules there report no arrivals until you confirm it."
    case nobodyLeft =
        "No one else is left in any of your groups: an SOS would reach no one. Invite someone, or call the emergency number yourself."
    case oneLeft =
        "Only {name} is left in your groups after others were removed: an SOS would reach no one else. Invite someone, or call the emergency number yourself."
    case invitationMailTitle = "An invitation to Kith"
    case invitationMail =
        "{name} invites you to a group. The link shows its members and lets you join, once. If you don't know {name}, do nothing: no one learns anything about you."
    case maintenance =
        "From {from} to {to} your vital signs are not watched, and no help is called because of them. {text}"
    case maintenanceMoved = "The maintenance time has changed."
    case maintenanceCancelled =
        "The maintenance from {from} to {to} is cancelled: your vital signs will be watched then."
    case announcedLate = "This was announced late."

    /// The form for one, where the number in `{count}` decides the words.
    public var one: String? {
        switch self {
        case .groupCount: "1 group"
        case .friendCount: "1 friend"
        case .heldTitle: "1 message during your quiet hours"
        case .heldAlerts: "1 of them: someone was late, stuck, offline or silent."
        case .positionDaysOld: "The last position is 1 day old."
        default: nil
        }
    }
}
