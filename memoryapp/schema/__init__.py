"""The tables as a whole: the server they need, who migrates them, whether they are as expected."""
