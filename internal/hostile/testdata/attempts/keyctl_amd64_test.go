package attempts

const keyctl = 250
